'use client'

import { useRouter } from 'next/navigation'
import { ProblemNotice } from '@/components/problem-notice'
import { CallError } from '@/lib/browser/call-error'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { ToldFailure } from '@/lib/contract/problem'
import * as words from '@/lib/words/merchant'

/** In place of a merchant record that could not be read. */
export function MerchantFailure({ failure }: { failure: ToldFailure }) {
  const router = useRouter()
  if (failure.code === 'not-found') {
    return <p className="rounded-lg border border-line bg-surface p-5 text-ink-soft">{words.serviceKnowsNoMerchant}</p>
  }
  return <ProblemNotice facts={readProblemFacts(CallError.of(failure))} onRetry={() => router.refresh()} />
}
