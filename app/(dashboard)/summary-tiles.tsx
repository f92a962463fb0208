'use client'

import { CircleX, Clock, Hourglass, type LucideIcon, Undo2 } from 'lucide-react'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Amount } from '@/components/payments/amount'
import { Timestamp } from '@/components/records/dates'
import { sumTallies } from '@/lib/domain/amount-sums'
import { dayInZone, formatDay } from '@/lib/domain/date'
import type { Overview, OverviewFigures, PeriodTally, Tally } from '@/lib/domain/overview'
import * as words from '@/lib/words/overview'

const reasons: Record<NonNullable<Overview['why']>, string> = {
  bound: words.moreAreNotCountedHere,
  time: words.itTookTooLong,
  list: words.serviceDidNotSayHow,
  unreadable: words.someEntriesOfTheList,
  failed: words.readingThemFailed,
}

/** How many payments were counted, whether those are all, and when. */
export function CountedFrom({ overview: { state, why, counted, asOf } }: { overview: Overview }) {
  const formatCount = useFormatCount()
  return (
    <p className={state === 'whole' ? 'text-ink-soft' : 'text-caution'}>
      {state === 'whole'
        ? words.countedFromAllPayments(counted, formatCount(counted))
        : words.countedFromPaymentsNotAll(counted, formatCount(counted), why ? reasons[why] : words.listWasNotRead)}
      , <Timestamp value={asOf} />
    </p>
  )
}

type TileProps = { label: string; tally: Tally; currency: string | null; note: string }

function Tile({ label, tally, currency, note }: TileProps) {
  const formatCount = useFormatCount()
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

export const EMPTY_TALLY: Tally = { count: 0, sum: '0' }

/** The total of the spans whose `at` starts with the given text. */
function pick(spans: readonly PeriodTally[], at: string): Tally {
  return sumTallies(spans.filter((span) => span.at.startsWith(at)))
}

/** The key figures of one mode and currency: upcoming and settled. `asOf` is the time of the count. */
export function SummaryTiles({ figures, asOf }: { figures: OverviewFigures; asOf: string }) {
  const { currency, toCome, later, settled } = figures
  const next = toCome[0]
  const { schemeZone, locale } = useAppConfig()
  const month = dayInZone(Date.parse(asOf), schemeZone).slice(0, 7)
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 max-[24rem]:grid-cols-1">
      <Tile label={words.toCome} tally={sumTallies(toCome)} currency={currency} note={words.inTheNextFourWeeks} />
      <Tile
        label={words.nextCollection}
        tally={next ?? EMPTY_TALLY}
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

type FigureProps = {
  label: string
  icon: LucideIcon
  tally: Tally
  currency: string | null
  /** A link to the payments, if a filter can express them. */
  href?: string
  note?: string
}

function Figure({ label, icon: Icon, tally, currency, href, note }: FigureProps) {
  const formatCount = useFormatCount()
  return (
    <li className="relative flex gap-3 border-t border-line px-5 py-3 max-md:px-4" data-figure={label}>
      <Icon className={`mt-0.5 size-4.5 ${tally.count > 0 ? 'text-negative' : 'text-ink-faint'}`} />
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-3 font-medium">
          {href ? (
            <Link
              href={href}
              className="leading-6 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current max-md:after:absolute max-md:after:inset-0"
            >
              {label}
            </Link>
          ) : (
            label
          )}
          <span className="font-semibold tabular-nums">{formatCount(tally.count)}</span>
        </p>
        <Amount amount={tally.sum} currency={currency} className="block wrap-anywhere text-ink-soft" />
        {note ? <p className="mt-0.5 text-xs text-ink-soft">{note}</p> : null}
      </div>
    </li>
  )
}

/** Figures that may need action, of one mode and currency. */
export function NeedsALook({ figures }: { figures: OverviewFigures }) {
  const { mode, currency, overdue, rejected, chargebacks, closingSoon, unreadAmounts } = figures
  const formatCount = useFormatCount()
  const query = mode === 'unsaid' ? '' : `&mode=${mode}`
  return (
    <section aria-labelledby="needs-a-look" className="rounded-lg border border-line bg-surface">
      <h3 id="needs-a-look" className="px-5 py-4 font-semibold max-md:px-4">
        {words.needsALook}
      </h3>
      <ul>
        <Figure
          label={words.rejected}
          icon={CircleX}
          tally={rejected}
          currency={currency}
          href={`/payments?state=Rejected${query}`}
        />
        <Figure
          label={words.chargebacks}
          icon={Undo2}
          tally={chargebacks}
          currency={currency}
          href={`/payments?state=Chargeback${query}`}
        />
        <Figure
          label={words.closingSoon}
          icon={Clock}
          tally={closingSoon}
          currency={currency}
          note={words.mayStillBeCancelledPlanned}
        />
        <Figure
          label={words.pastTheirDay}
          icon={Hourglass}
          tally={overdue}
          currency={currency}
          note={words.notEndedAndTheDay}
        />
      </ul>
      {unreadAmounts > 0 ? (
        <p className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {words.amountsOfPaymentsCouldNot(unreadAmounts, formatCount(unreadAmounts))}
        </p>
      ) : null}
    </section>
  )
}
