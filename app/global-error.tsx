'use client'

import { PageFailure } from '@/components/page-failure'
import { readTheme } from '@/lib/browser/kept-theme'
import { thisPageCouldNot } from '@/lib/words/page-failure'
import { PageStyles } from './page-styles'

/** In place of the whole page, where what failed is not within the shell. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  const page = typeof window === 'undefined' ? undefined : document
  const nonce = page?.querySelector<HTMLElement>('[nonce]')?.nonce
  return (
    <html lang="en" data-theme={page ? (page.documentElement.dataset.theme ?? readTheme()) : undefined}>
      <head>
        <title>{thisPageCouldNot}</title>
        <PageStyles nonce={nonce} />
      </head>
      <body className="font-sans">
        <PageFailure digest={error.digest} />
      </body>
    </html>
  )
}
