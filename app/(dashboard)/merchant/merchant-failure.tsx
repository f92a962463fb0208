'use client'

import { useRouter } from 'next/navigation'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { CallError } from '@/lib/client/api-client'
import { toProblemInfo } from '@/components/feedback/problem-display'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import * as m from '@/lib/messages/m'

/** Shown instead of a merchant record that could not be read. */
export function MerchantFailure({ failure }: { failure: SerializedFailure }) {
  const router = useRouter()
  if (failure.code === 'not-found') {
    return (
      <p className="rounded-lg border border-line bg-surface p-5 text-ink-soft">
        {m.merchant_serviceKnowsNoMerchant()}
      </p>
    )
  }
  return <ProblemNotice problem={toProblemInfo(CallError.of(failure))} onRetry={() => router.refresh()} />
}
