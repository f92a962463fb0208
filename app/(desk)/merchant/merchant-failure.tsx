'use client'

import { useRouter } from 'next/navigation'
import { ProblemNotice } from '@/components/problem-notice'
import { CallError } from '@/lib/browser/call-error'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { Problem } from '@/lib/contract/problem'
import * as words from '@/lib/words/merchant'

type MerchantFailureProps = {
  failure: { status: number; code: string; problem: Problem & Record<string, unknown>; retryAfter: number | null }
}

/** In place of a merchant record that could not be read. */
export function MerchantFailure({ failure: { status, code, problem, retryAfter } }: MerchantFailureProps) {
  const router = useRouter()
  if (code === 'not-found') {
    return <p className="rounded-lg border border-line bg-surface p-5 text-ink-soft">{words.serviceKnowsNoMerchant}</p>
  }
  const error = new CallError(status, code, problem, retryAfter)
  return <ProblemNotice facts={readProblemFacts(error)} onRetry={() => router.refresh()} />
}
