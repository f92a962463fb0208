import { Timestamp } from '@/components/timestamp'
import { useCount } from '@/components/use-count'
import type { Overview } from '@/lib/contract/overview'
import * as words from '@/lib/words/overview'

const reasons: Record<NonNullable<Overview['why']>, string> = {
  bound: words.moreAreNotCountedHere,
  time: words.itTookTooLong,
  list: words.serviceDidNotSayHow,
  unreadable: words.someEntriesOfTheList,
  failed: words.readingThemFailed,
}

/** How many payments the figures were counted from, whether that was all, and when. */
export function CountedFrom({ overview: { state, why, counted, asOf } }: { overview: Overview }) {
  const formatCount = useCount()
  return (
    <p className={state === 'whole' ? 'text-ink-soft' : 'text-caution'}>
      {state === 'whole'
        ? words.countedFromAllPayments(counted, formatCount(counted))
        : words.countedFromPaymentsNotAll(counted, formatCount(counted), why ? reasons[why] : words.listWasNotRead)}
      , <Timestamp value={asOf} />
    </p>
  )
}
