'use client'

import { PageFailure } from '@/components/page-failure'
import { PageStyles } from './page-styles'

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void }

/** In place of the whole page, where what is around all pages failed too. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const nonce = typeof window === 'undefined' ? undefined : document.querySelector<HTMLElement>('[nonce]')?.nonce
  return (
    <html lang="en">
      <head>
        <PageStyles nonce={nonce} />
      </head>
      <body className="font-sans">
        <PageFailure digest={error.digest} onRetry={reset} />
      </body>
    </html>
  )
}
