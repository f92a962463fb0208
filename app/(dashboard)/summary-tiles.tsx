'use client'

import type { Message } from '@/lib/language/runtime'
import { CircleX, Clock, Hourglass, type LucideIcon, Undo2 } from 'lucide-react'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Amount } from '@/components/payments/amount'
import { Timestamp } from '@/components/records/dates'
import { sumTallies } from '@/lib/domain/amount-sums'
import { dayInZone, formatDay } from '@/lib/domain/date'
import type { Overview, OverviewFigures, PeriodTally, Tally } from '@/lib/domain/overview'

import * as m from '@/lib/messages/m'
const reasons: Record<NonNullable<Overview['why']>, Message> = {
  bound: m.overview_moreAreNotCountedHere,
  time: m.overview_itTookTooLong,
  list: m.overview_serviceDidNotSayHow,
  unreadable: m.overview_someEntriesOfTheList,
  failed: m.overview_readingThemFailed,
}

/** How many payments were counted, whether those are all, and when. */
export function CountedFrom({ overview: { state, why, counted, asOf } }: { overview: Overview }) {
  const formatCount = useFormatCount()
  return (
    <p className={state === 'whole' ? 'text-ink-soft' : 'text-caution'}>
      {state === 'whole'
        ? m.overview_countedFromAllPayments({ count: counted, written: formatCount(counted) })
        : m.overview_countedFromPaymentsNotAll({
            count: counted,
            written: formatCount(counted),
            why: (why ? reasons[why] : m.overview_listWasNotRead)(),
          })}
      , <Timestamp value={asOf} />
    </p>
  )
}

type TileProps = { label: string; tally: Tally; currency: string | null; note: string }

function Tile({ label, tally, currency, note }: TileProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface p-4" data-figure={label}>
      <dt className="text-[0.8125rem] font-medium text-ink-soft">{label}</dt>
      <dd>
        <Amount
          amount={tally.sum}
          currency={currency}
          className="mt-1 block text-xl font-semibold tracking-tight wrap-anywhere tabular-nums max-md:text-base"
        />
        <span className="mt-0.5 block text-ink-soft">{m.overview_paymentCount({ count: tally.count })}</span>
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
      <Tile
        label={m.overview_toCome()}
        tally={sumTallies(toCome)}
        currency={currency}
        note={m.overview_inTheNextFourWeeks()}
      />
      <Tile
        label={m.overview_nextCollection()}
        tally={next ?? EMPTY_TALLY}
        currency={currency}
        note={next ? m.overview_onDay({ at: formatDay(next.at, locale) }) : m.overview_noDayWithPayments()}
      />
      <Tile label={m.overview_later()} tally={later} currency={currency} note={m.overview_inMoreThanFourWeeks()} />
      <Tile
        label={m.overview_settledThisMonth()}
        tally={pick(settled, month)}
        currency={currency}
        note={m.overview_chargebackMayFollow()}
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
        {m.overview_needsALook()}
      </h3>
      <ul>
        <Figure
          label={m.overview_rejected()}
          icon={CircleX}
          tally={rejected}
          currency={currency}
          href={`/payments?state=Rejected${query}`}
        />
        <Figure
          label={m.overview_chargebacks()}
          icon={Undo2}
          tally={chargebacks}
          currency={currency}
          href={`/payments?state=Chargeback${query}`}
        />
        <Figure
          label={m.overview_closingSoon()}
          icon={Clock}
          tally={closingSoon}
          currency={currency}
          note={m.overview_mayStillBeCancelledPlanned()}
        />
        <Figure
          label={m.overview_pastTheirDay()}
          icon={Hourglass}
          tally={overdue}
          currency={currency}
          note={m.overview_notEndedAndTheDay()}
        />
      </ul>
      {unreadAmounts > 0 ? (
        <p className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {m.overview_amountsOfPaymentsCouldNot({ count: unreadAmounts, written: formatCount(unreadAmounts) })}
        </p>
      ) : null}
    </section>
  )
}
