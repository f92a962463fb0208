'use client'

import { PageFailure } from '@/components/feedback/page-failure'

export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return <PageFailure digest={error.digest} />
}
