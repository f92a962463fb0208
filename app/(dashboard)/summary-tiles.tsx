'use client'

import type { Message } from '@/lib/language/runtime'
import { CircleX, Clock, Hourglass, type LucideIcon, Undo2 } from 'lucide-react'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Amount } from '@/components/payments/amount'
import { Timestamp } from '@/components/records/dates'
import { mergeClasses } from '@/components/ui/merge-classes'
import { addDays } from '@/lib/api-contract/business-days'
import { sumTallies } from '@/lib/domain/amounts/amount-sums'
import { formatDay, formatShortDay, formatWeekday } from '@/lib/domain/dates/date'
import { DAYS_AHEAD, type Overview, type OverviewFigures, type Tally } from '@/lib/domain/overview'
import type { FigureLinks } from './figure-links'
import * as m from '@/lib/messages/m'

const reasons: Record<NonNullable<Overview['why']>, Message> = {
  bound: m.overview_moreAreNotCountedHere,
  time: m.overview_itTookTooLong,
  list: m.overview_serviceDidNotSayHow,
  unreadable: m.overview_someEntriesOfTheList,
  failed: m.overview_readingThemFailed,
}

/** How many payments were counted, whether those are all, and when; nothing where there are none. */
export function CountedFrom({ overview: { state, why, counted, asOf } }: { overview: Overview }) {
  const formatCount = useFormatCount()
  if (state === 'whole' && counted === 0) return null
  return (
    <p className={state === 'whole' ? 'text-ink-soft' : 'text-caution'}>
      {state === 'whole'
        ? m.overview_countedFromAllPayments({ count: counted, written: formatCount(counted) })
        : why === 'failed' && counted === 0
          ? m.overview_noneCouldBeLoaded()
          : m.overview_countedFromPaymentsNotAll({
              count: counted,
              written: formatCount(counted),
              why: (why ? reasons[why] : m.overview_listWasNotRead)(),
            })}
      , <Timestamp value={asOf} />
    </p>
  )
}

type TileProps = {
  label: string
  tally: Tally
  currency: string | null
  note: string
  /** A link to the payments that are counted, if a filter shows exactly those. */
  href: string | null
  /** Shown before the label of a figure that may need somebody. */
  icon?: LucideIcon
}

/** One figure; the whole tile leads to its payments. */
function Tile({ label, tally, currency, note, href, icon: Icon }: TileProps) {
  const formatCount = useFormatCount()
  const isRaised = Icon !== undefined && tally.count > 0
  return (
    <div
      className={mergeClasses(
        'relative min-w-0 rounded-lg border border-line bg-surface p-4',
        href && 'hover:border-edge has-[a:focus-visible]:[outline:2px_solid_var(--focus)]',
      )}
      data-figure={label}
    >
      <dt className="flex items-center gap-1.5 text-[0.8125rem] font-medium text-ink-soft">
        {Icon ? (
          <Icon
            className={`size-4 shrink-0 group-data-[overview=walking]/figures:text-ink-faint ${isRaised ? 'text-negative' : 'text-ink-faint'}`}
          />
        ) : null}
        {href ? (
          <Link
            href={href}
            className="inline-flex min-h-6 items-center outline-none after:absolute after:inset-0 hover:text-accent-ink hover:underline"
          >
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd className="group-data-[overview=walking]/figures:text-ink-soft">
        {Icon ? (
          <>
            <span className="mt-1 block text-xl font-semibold tracking-tight tabular-nums">
              {formatCount(tally.count)}
            </span>
            <Amount breaks amount={tally.sum} currency={currency} className="block wrap-anywhere text-ink-soft" />
          </>
        ) : (
          <>
            <Amount
              breaks
              amount={tally.sum}
              currency={currency}
              className="mt-1 block text-xl font-semibold tracking-tight wrap-anywhere tabular-nums data-long:text-base max-md:text-base max-md:data-long:text-[0.8125rem]"
            />
            <span className="mt-0.5 block text-ink-soft">{m.overview_paymentCount({ count: tally.count })}</span>
          </>
        )}
        <span className="mt-1 block text-xs text-ink-soft">{note}</span>
      </dd>
    </div>
  )
}

export const EMPTY_TALLY: Tally = { count: 0, sum: '0' }

const tileGrid = 'grid grid-cols-2 gap-3 lg:grid-cols-4 max-[24rem]:grid-cols-1'

export type TilesProps = { overview: Pick<Overview, 'today' | 'closing'>; figures: OverviewFigures; links: FigureLinks }

/** The key figures of one mode and currency: upcoming and settled. */
export function SummaryTiles({ overview: { today }, figures, links }: TilesProps) {
  const { currency, toCome, later, settled } = figures
  const next = toCome[0]
  const { locale } = useAppConfig()
  const month = today.slice(0, 7)
  const sent = toCome.reduce((total, day) => total + day.sent.count, 0)
  return (
    <dl className={tileGrid}>
      <Tile
        label={m.overview_toCome()}
        tally={sumTallies(toCome)}
        currency={currency}
        note={sent > 0 ? m.overview_sentAlready({ count: sent }) : m.overview_inTheNextFourWeeks()}
        href={links.toCome({ from: today, to: addDays(today, DAYS_AHEAD - 1) })}
      />
      <Tile
        label={m.overview_nextCollection()}
        tally={next ?? EMPTY_TALLY}
        currency={currency}
        note={next ? m.overview_onDay({ at: formatDay(next.at, locale) }) : m.overview_noDayWithPayments()}
        href={next ? links.toCome({ from: next.at, to: next.at }) : null}
      />
      <Tile
        label={m.overview_later()}
        tally={later}
        currency={currency}
        note={m.overview_inMoreThanFourWeeks()}
        href={links.later}
      />
      <Tile
        label={m.overview_settledThisMonth()}
        tally={settled.find(({ at }) => at === month) ?? EMPTY_TALLY}
        currency={currency}
        note={m.overview_chargebackMayFollow()}
        href={links.settled(month)}
      />
    </dl>
  )
}

/** Figures that may need action, of one mode and currency. */
export function NeedsAttention({ overview: { closing }, figures, links }: TilesProps) {
  const { currency, overdue, lately, unreadAmounts, filters } = figures
  const isDated = filters.failedBy === 'modified'
  const { locale } = useAppConfig()
  const formatCount = useFormatCount()
  const closingLabel =
    closing === null || closing.isToday
      ? m.overview_closingToday()
      : m.overview_closingOn({
          day: m.dates_weekdayAndDay({
            weekday: formatWeekday(closing.day, locale, 'short'),
            day: formatShortDay(closing.day, locale),
          }),
        })
  return (
    <section aria-labelledby="needs-attention" className="grid gap-2">
      <h3 id="needs-attention" className="font-semibold">
        {m.overview_needsALook()}
      </h3>
      <dl className={tileGrid}>
        <Tile
          label={closingLabel}
          icon={Clock}
          tally={figures.closing}
          currency={currency}
          note={m.overview_closingNote()}
          href={links.closing}
        />
        <Tile
          label={m.overview_rejected()}
          icon={CircleX}
          tally={lately.rejected}
          currency={currency}
          note={isDated ? m.overview_rejectedNote() : m.overview_rejectedNoteUndated()}
          href={links.rejected}
        />
        <Tile
          label={m.overview_chargebacks()}
          icon={Undo2}
          tally={lately.chargebacks}
          currency={currency}
          note={isDated ? m.overview_chargebacksNote() : m.overview_chargebacksNoteUndated()}
          href={links.chargebacks}
        />
        <Tile
          label={m.overview_pastTheirDay()}
          icon={Hourglass}
          tally={overdue}
          currency={currency}
          note={m.overview_notEndedAndTheDay()}
          href={links.overdue}
        />
      </dl>
      {unreadAmounts > 0 ? (
        <p className="text-caution">
          {m.overview_amountsOfPaymentsCouldNot({ count: unreadAmounts, written: formatCount(unreadAmounts) })}
        </p>
      ) : null}
    </section>
  )
}
