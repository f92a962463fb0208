'use client'

import type { Message } from '@/lib/language/runtime'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice, useCountdown } from '@/components/feedback/problem-notice'
import { useFormatCount } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/input'
import { mergeClasses } from '@/components/ui/merge-classes'
import { CallError } from '@/lib/client/api-client'
import { streamOverview } from '@/lib/client/ndjson-streams'
import { addDays } from '@/lib/api-contract/business-days'
import { DAYS_AHEAD, listMonthsBack, type Overview, type OverviewFigures } from '@/lib/domain/overview'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import { type FigureLinks, linkFigures } from './figure-links'
import { type Bar, SpanChart } from './span-chart'
import { CountedFrom, EMPTY_TALLY, NeedsAttention, SummaryTiles } from './summary-tiles'
import * as m from '@/lib/messages/m'

const queryKey = ['overview']

/** Streams the overview figures; the last ones stay when reading fails. `again` recounts. */
export function useOverview() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const skipsCache = client.getQueryData(queryKey) !== undefined
      const onOverview = (overview: Overview) => client.setQueryData(queryKey, overview)
      return streamOverview({ skipsCache, signal, onOverview })
    },
    // A count reads every payment: repeat it only on request.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return {
    overview: data ?? null,
    error: isFetching ? null : error,
    isWalking: isFetching,
    again: () => void refetch(),
  }
}

/** Status and title for error codes of the count; the status determines the display. */
const failures: Record<string, { status: number; title: Message }> = {
  'upstream-slow-down': { status: 429, title: m.overview_serviceAsksToSlowDown },
  'upstream-forbidden': { status: 403, title: m.overview_serviceRefused },
  'upstream-error': { status: 502, title: m.overview_serviceFailed },
  'upstream-bad-reply': { status: 502, title: m.overview_replyOfTheServiceCould },
  'upstream-refused': { status: 422, title: m.overview_serviceDidNotAccept },
  'not-found': { status: 404, title: m.overview_serviceDoesNotList },
}

function describeFailure(code: string): ProblemInfo {
  const { status = 502, title } = failures[code] ?? {}
  return { ...toProblemInfo(new CallError(status, code)), title: title?.() ?? null }
}

const modeNames = { live: m.overview_live, test: m.overview_test, unsaid: m.overview_modeNotSaid }

function getGroupName({ mode, currency }: OverviewFigures): string {
  return `${modeNames[mode]()}, ${currency ?? m.overview_currencyNotSaid()}`
}

function countPayments({ toCome, settled, later }: OverviewFigures): number {
  return later.count + [...toCome, ...settled].reduce((total, { count }) => total + count, 0)
}

/** Live before test, then the largest first. */
function sortFigures(figures: readonly OverviewFigures[]): OverviewFigures[] {
  const order = { live: 0, test: 1, unsaid: 2 }
  return figures.toSorted(
    (one, other) => order[one.mode] - order[other.mode] || countPayments(other) - countPayments(one),
  )
}

const EMPTY_DAY = { ...EMPTY_TALLY, at: '2000-01-01', sent: EMPTY_TALLY }

/** Empty figures for the placeholder. */
const EMPTY_FIGURES: OverviewFigures = {
  mode: 'live',
  currency: null,
  toCome: [EMPTY_DAY],
  later: EMPTY_TALLY,
  overdue: EMPTY_TALLY,
  settled: [{ ...EMPTY_TALLY, at: '2000-01' }],
  rejected: EMPTY_TALLY,
  chargebacks: EMPTY_TALLY,
  lately: { rejected: EMPTY_TALLY, chargebacks: EMPTY_TALLY },
  closing: EMPTY_TALLY,
  unreadAmounts: 0,
  filters: {
    states: { open: [], settled: [], rejected: [], chargebacks: [] },
    debitedBy: null,
    settledBy: null,
    failedBy: 'modified',
    hasUndated: false,
  },
}

const EMPTY_OVERVIEW = { today: EMPTY_DAY.at, closing: null, figures: [EMPTY_FIGURES] }

/** A bar for each of the next four weeks' days. */
function listDays({ toCome }: OverviewFigures, today: string, links: FigureLinks): Bar[] {
  return Array.from({ length: DAYS_AHEAD }, (_, ahead) => {
    const at = addDays(today, ahead)
    const known = toCome.find((day) => day.at === at) ?? { ...EMPTY_TALLY, at }
    return { ...known, href: links.toCome({ from: at, to: at }) }
  })
}

/** A bar for each of the last twelve months, this one included. */
function listMonths({ settled }: OverviewFigures, today: string, links: FigureLinks): Bar[] {
  return listMonthsBack(today).map((at) => {
    const known = settled.find((month) => month.at === at) ?? { ...EMPTY_TALLY, at }
    return { ...known, href: links.settled(at) }
  })
}

/** Reserves space: renders the same elements with invisible contents. */
function Placeholder({ isEmpty, children }: { isEmpty: boolean; children: ReactNode }) {
  return isEmpty ? (
    <div inert aria-hidden="true" className="contents [&_[data-figure]>*]:invisible [&_section>:not(dl)]:invisible">
      {children}
    </div>
  ) : (
    children
  )
}

/** How many were counted so far, and when counting goes on where the service asks to slow down. */
export function CountProgress({ overview }: { overview: Overview | null }) {
  const formatCount = useFormatCount()
  const seconds = useCountdown(overview?.resumesIn ?? null, overview)
  return (
    <p data-counting="" className="flex flex-wrap items-center gap-3 text-ink-soft">
      <progress aria-label={m.overview_countingPayments()} className="h-1.5 w-40" />
      {overview
        ? m.overview_paymentsCountedSoFar({ count: overview.counted, written: formatCount(overview.counted) })
        : m.overview_countingPaymentsLabel()}
      {seconds > 0 ? <span className="text-caution">{m.overview_countingGoesOnIn({ seconds })}</span> : null}
    </p>
  )
}

/**
 * Upcoming and settled collections and problems, counted from the payments while the user watches. `children` are
 * placed beside the charts in any case.
 */
export function Figures({ children }: { children: ReactNode }) {
  const { overview, error, isWalking, again } = useOverview()
  const [chosen, setChosen] = useState<string | null>(null)
  const groups = sortFigures(overview?.figures ?? [])
  const shown = groups.find((group) => getGroupName(group) === chosen) ?? groups[0]
  const rendered = shown ?? (isWalking ? EMPTY_FIGURES : null)
  const counted = (shown && overview) ?? EMPTY_OVERVIEW
  const links = rendered && linkFigures(counted, rendered)
  // Without charts the children use the full width.
  const hasFailed = !isWalking && !shown && (error !== null || Boolean(overview?.failure))
  return (
    <section
      aria-labelledby="figures"
      data-overview={overview?.state ?? 'walking'}
      className="group/figures grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid content-start gap-1 max-md:min-h-17">
          <h2 id="figures" className="text-base font-semibold">
            {m.overview_collections()}
          </h2>
          {isWalking ? <CountProgress overview={overview} /> : overview ? <CountedFrom overview={overview} /> : null}
        </div>
        <div className="flex min-h-9 flex-wrap items-center gap-2 max-md:min-h-11 max-md:w-full">
          {groups.length > 1 && shown ? (
            <Select
              aria-label={m.overview_modeAndCurrency()}
              className="max-w-60"
              value={getGroupName(shown)}
              onChange={(event) => setChosen(event.target.value)}
            >
              {groups.map((group) => (
                <option key={getGroupName(group)} value={getGroupName(group)}>
                  {escapeInvisible(getGroupName(group))}
                </option>
              ))}
            </Select>
          ) : null}
          {isWalking ? null : (
            <Button size="small" onClick={again}>
              {m.overview_countAgain()}
            </Button>
          )}
        </div>
      </div>
      {error === null ? null : <ProblemNotice problem={toProblemInfo(error)} onRetry={again} />}
      {!isWalking && overview?.failure ? (
        <ProblemNotice problem={describeFailure(overview.failure)} onRetry={again} />
      ) : null}
      {rendered && links ? (
        <Placeholder isEmpty={!shown}>
          <NeedsAttention overview={counted} figures={rendered} links={links} />
          <SummaryTiles overview={counted} figures={rendered} links={links} />
        </Placeholder>
      ) : null}
      <div
        className={mergeClasses(
          'grid grid-cols-[minmax(0,1fr)] gap-4',
          !hasFailed && 'lg:grid-cols-[minmax(0,1fr)_20rem]',
        )}
      >
        <div
          className={mergeClasses(
            'grid grid-cols-[minmax(0,1fr)] content-start gap-4',
            hasFailed ? 'lg:grid-cols-2' : 'lg:order-last',
          )}
        >
          {children}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 2xl:grid-cols-2">
          {rendered && links ? (
            <Placeholder isEmpty={!shown}>
              <SpanChart
                title={m.overview_toComePerDay()}
                kind="day"
                bars={listDays(rendered, counted.today, links)}
                current={counted.today}
                currency={rendered.currency}
                name={getGroupName(rendered)}
              />
              <SpanChart
                title={m.overview_settledPerMonth()}
                kind="month"
                bars={listMonths(rendered, counted.today, links)}
                current={counted.today.slice(0, 7)}
                currency={rendered.currency}
                name={getGroupName(rendered)}
              />
            </Placeholder>
          ) : null}
          {!isWalking && error === null && !overview?.failure && groups.length === 0 ? (
            <p className="rounded-lg border border-line bg-surface p-5 text-ink-soft">
              {m.overview_thereIsNothingToCount()}
            </p>
          ) : null}
        </div>
      </div>
    </section>
  )
}
