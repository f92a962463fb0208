'use client'

import { PageFailure } from '@/components/page-failure'

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void }

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return <PageFailure digest={error.digest} onRetry={reset} />
}
