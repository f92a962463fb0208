'use client'

import { PageFailure } from '@/components/page-failure'
import { thisPageCouldNot } from '@/lib/words/page-failure'
import { PageStyles } from './page-styles'

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void }

/** In place of the whole page, where what is around all pages failed too. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const page = typeof window === 'undefined' ? undefined : document
  const nonce = page?.querySelector<HTMLElement>('[nonce]')?.nonce
  return (
    <html lang="en" data-theme={page?.documentElement.dataset.theme}>
      <head>
        <title>{thisPageCouldNot}</title>
        <PageStyles nonce={nonce} />
      </head>
      <body className="font-sans">
        <PageFailure digest={error.digest} onRetry={reset} />
      </body>
    </html>
  )
}
