import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { densityCookie } from '@/lib/contract/density'
import fontUrl from '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2'
import styles from './globals.pcss'
import { Providers } from './providers'
import * as words from '@/lib/words/shell'

export const metadata: Metadata = {
  title: { default: words.product, template: `%s · ${words.product}` },
  description: words.about,
  robots: { index: false, follow: false },
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
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

/** The fallback has the font's own measures, so that nothing moves when the font arrives. */
const fontFaces = `@font-face{font-family:Geist;src:url(${fontUrl})format("woff2");font-display:optional;font-weight:100 900}
@font-face{font-family:"Geist Fallback";src:local(Arial),local("Liberation Sans");ascent-override:94.56%;descent-override:27.76%;line-gap-override:0%;size-adjust:106.28%}`

/**
 * The styles stand in the page itself: nothing is asked for a second time before the first rows are painted.
 * Reading the headers makes every page dynamic, which a nonce per request needs.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const density = (await cookies()).get(densityCookie)?.value === 'compact' ? 'compact' : undefined
  return (
    <html lang="en" data-density={density} suppressHydrationWarning>
      <head>
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: fontFaces + styles }} suppressHydrationWarning />
      </head>
      <body className="font-sans">
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}
