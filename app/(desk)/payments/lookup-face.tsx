'use client'

import { Search, SearchX } from 'lucide-react'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { useCount, type WriteCount } from '@/components/use-count'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { Lookup } from './use-payment-lookup'
import * as words from '@/lib/words/payment-lookup'

function explain(lookup: Lookup, formatCount: WriteCount): { title: string; advice: string } {
  switch (lookup.kind) {
    case 'absent':
      return { title: words.noSuch, advice: words.noSuchAdvice }
    case 'incomplete':
      return {
        title: words.notFound,
        advice: words.notFoundAdvice(lookup.looked, formatCount(lookup.looked)),
      }
    case 'gave-up':
      return {
        title: words.notFoundSoFar,
        advice: words.notFoundSoFarAdvice(lookup.looked, formatCount(lookup.looked)),
      }
    default:
      return {
        title: words.lookingFor,
        advice: lookup.kind === 'looking' && lookup.looked > 0 ? words.lookedAt(formatCount(lookup.looked)) : '',
      }
  }
}

/** What looking for one payment has come to. */
export function LookupFace({ lookup, onAgain }: { lookup: Lookup; onAgain: () => void }) {
  const formatCount = useCount()
  if (lookup.kind === 'failed')
    return <ProblemNotice facts={readProblemFacts(lookup.error)} onRetry={onAgain} layout="page" />
  const { title, advice } = explain(lookup, formatCount)
  const isLooking = lookup.kind === 'looking'
  const Icon = isLooking ? Search : SearchX
  return (
    <output className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <Icon strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{title}</p>
      {advice ? <p className="mt-1 text-ink-soft">{advice}</p> : null}
      {lookup.kind === 'gave-up' || lookup.kind === 'incomplete' ? (
        <Button className="mt-4" onClick={onAgain}>
          {words.lookAgain}
        </Button>
      ) : null}
    </output>
  )
}
