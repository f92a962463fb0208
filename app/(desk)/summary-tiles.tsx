'use client'

import { Amount } from '@/components/amount'
import { useDeskFacts } from '@/components/desk-facts'
import { useCount } from '@/components/use-count'
import type { OverviewFigures, Span, Tally } from '@/lib/contract/overview'
import { dayInZone, formatDay } from '@/lib/format/date'
import { sumTallies } from '@/lib/format/sum-amounts'
import * as words from '@/lib/words/overview'

type TileProps = { label: string; tally: Tally; currency: string | null; note: string }

function Tile({ label, tally, currency, note }: TileProps) {
  const formatCount = useCount()
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface p-4" data-figure={label}>
      <dt className="text-[0.8125rem] font-medium text-ink-soft">{label}</dt>
      <dd>
        <Amount
          amount={tally.sum}
          currency={currency}
          className="mt-1 block text-xl font-semibold tracking-tight wrap-anywhere tabular-nums max-md:text-base"
        />
        <span className="mt-0.5 block text-ink-soft">
          {formatCount(tally.count)} {tally.count === 1 ? 'payment' : 'payments'}
        </span>
        <span className="mt-1 block text-xs text-ink-soft">{note}</span>
      </dd>
    </div>
  )
}

/** No payment. */
export const nothing: Tally = { count: 0, sum: '0' }

/** The tallies of the spans that begin with `at`, together. */
function pick(spans: readonly Span[], at: string): Tally {
  return sumTallies(spans.filter((span) => span.at.startsWith(at)))
}

/** What one wants to know first of one mode and currency: what is coming, and what has come. `asOf` is when it was counted. */
export function SummaryTiles({ figures, asOf }: { figures: OverviewFigures; asOf: string }) {
  const { currency, toCome, later, settled } = figures
  const next = toCome[0]
  const { schemeZone, locale } = useDeskFacts()
  const month = dayInZone(Date.parse(asOf), schemeZone).slice(0, 7)
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 max-[24rem]:grid-cols-1">
      <Tile label={words.toCome} tally={sumTallies(toCome)} currency={currency} note={words.inTheNextFourWeeks} />
      <Tile
        label={words.nextCollection}
        tally={next ?? nothing}
        currency={currency}
        note={next ? words.onDay(formatDay(next.at, locale)) : words.noDayWithPayments}
      />
      <Tile label={words.later} tally={later} currency={currency} note={words.inMoreThanFourWeeks} />
      <Tile
        label={words.settledThisMonth}
        tally={pick(settled, month)}
        currency={currency}
        note={words.chargebackMayFollow}
      />
    </dl>
  )
}
