import { Timestamp } from '@/components/timestamp'
import { useCount } from '@/components/use-count'
import type { Overview } from '@/lib/contract/overview'

const reasons: Record<NonNullable<Overview['why']>, string> = {
  bound: 'more are not counted here',
  time: 'it took too long to count the others',
  list: 'the service did not say how the list goes on',
  unreadable: 'some entries of the list could not be read',
  failed: 'reading them failed',
}

/** How many payments the figures were counted from, whether that was all, and when. */
export function CountedFrom({ overview: { state, why, counted, asOf } }: { overview: Overview }) {
  const formatCount = useCount()
  return (
    <p className={state === 'whole' ? 'text-ink-soft' : 'text-caution'}>
      {state === 'whole'
        ? `Counted from all ${formatCount(counted)} payments`
        : `Counted from ${formatCount(counted)} payments, not all: ${why ? reasons[why] : 'the list was not read to its end'}`}
      , <Timestamp value={asOf} />
    </p>
  )
}
