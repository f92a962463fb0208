import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { themeScript } from '@/lib/client/theme-script'
import { densityCookie } from '@/lib/domain/lists/list-preferences'
import { getLanguage } from '@/lib/language/runtime'
import { readSessionInfo } from '@/lib/server/auth/session'
import { geist } from './fonts'
import './globals.css'
import { Providers } from './providers'
import * as m from '@/lib/messages/m'

export async function generateMetadata(): Promise<Metadata> {
  await readSessionInfo().catch(() => null)
  return {
    title: { default: m.shell_product(), template: `%s · ${m.shell_product()}` },
    description: m.shell_about(),
    robots: { index: false, follow: false },
    icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
  }
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fafafb' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1014' },
  ],
}

/** Reading the headers makes every page dynamic, as a per-request nonce requires. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  // An account's own language is known once its session was read.
  await readSessionInfo().catch(() => null)
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const density = (await cookies()).get(densityCookie)?.value === 'compact' ? 'compact' : undefined
  return (
    <html lang={getLanguage()} className={geist.variable} data-density={density} suppressHydrationWarning>
      <body className="font-sans">
        {/* Browsers hide nonces from scripts, so React would report a hydration mismatch. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: themeScript }} />
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}
