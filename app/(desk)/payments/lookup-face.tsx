'use client'

import { Search, SearchX } from 'lucide-react'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/data-table/walk-words'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { Lookup } from './use-payment-lookup'

function explain(lookup: Lookup): { title: string; advice: string } {
  switch (lookup.kind) {
    case 'absent':
      return { title: 'No such payment', advice: 'The service has no payment of this id.' }
    case 'incomplete':
      return {
        title: 'Not found',
        advice: `It is not among the ${formatCount(lookup.looked)} payments that the service listed, and the list may be incomplete.`,
      }
    case 'gave-up':
      return {
        title: 'Not found so far',
        advice: `It is not among the first ${formatCount(lookup.looked)} payments. The service cannot look a payment up by its id, and the desk reads no further for one: find it in the list.`,
      }
    default:
      return {
        title: 'Looking for the payment',
        advice: lookup.kind === 'looking' && lookup.looked > 0 ? `${formatCount(lookup.looked)} looked at` : '',
      }
  }
}

/** What looking for one payment has come to. */
export function LookupFace({ lookup, onAgain }: { lookup: Lookup; onAgain: () => void }) {
  if (lookup.kind === 'failed')
    return <ProblemNotice facts={readProblemFacts(lookup.error)} onRetry={onAgain} layout="page" />
  const { title, advice } = explain(lookup)
  const isLooking = lookup.kind === 'looking'
  const Icon = isLooking ? Search : SearchX
  return (
    <output className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <Icon aria-hidden="true" className="size-8 text-ink-faint" strokeWidth={1.5} />
      <p className="mt-3 text-base font-semibold">{title}</p>
      {advice ? <p className="mt-1 text-ink-soft">{advice}</p> : null}
      {lookup.kind === 'gave-up' || lookup.kind === 'incomplete' ? (
        <Button className="mt-4" onClick={onAgain}>
          Look again
        </Button>
      ) : null}
    </output>
  )
}
