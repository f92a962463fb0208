'use client'

import { type ReactNode, useState } from 'react'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { mergeClasses } from '@/components/ui/merge-classes'
import { Select } from '@/components/ui/select'
import { useCount } from '@/components/use-count'
import { CallError } from '@/lib/browser/call-error'
import { type ProblemFacts, readProblemFacts } from '@/lib/browser/problem-facts'
import type { Overview, OverviewFigures } from '@/lib/contract/overview'
import { showInvisible } from '@/lib/format/show-invisible'
import * as words from '@/lib/words/overview'
import { CountedFrom } from './counted-from'
import { NeedsALook } from './needs-a-look'
import { SpanChart } from './span-chart'
import { SummaryTiles } from './summary-tiles'
import { useOverview } from './use-overview'

/** What the desk itself answers to these failures of the count: its status decides which face they have. */
const failures: Record<string, { status: number; title: string }> = {
  'upstream-slow-down': { status: 429, title: words.serviceAsksToSlowDown },
  'upstream-forbidden': { status: 403, title: words.serviceRefused },
  'upstream-error': { status: 502, title: words.serviceFailed },
  'upstream-bad-reply': { status: 502, title: words.replyOfTheServiceCould },
  'upstream-refused': { status: 422, title: words.serviceDidNotAccept },
  'not-found': { status: 404, title: words.serviceDoesNotList },
}

function describeFailure(code: string): ProblemFacts {
  const { status = 502, title = null } = failures[code] ?? {}
  return { ...readProblemFacts(new CallError(status, code)), title }
}

const modeNames = { live: words.live, test: words.test, unsaid: words.modeNotSaid }

function nameGroup({ mode, currency }: OverviewFigures): string {
  return `${modeNames[mode]}, ${currency ?? words.currencyNotSaid}`
}

function weigh({ toCome, settled, later }: OverviewFigures): number {
  return later.count + [...toCome, ...settled].reduce((total, { count }) => total + count, 0)
}

/** Live before test, then what there is most of. */
function sortFigures(figures: readonly OverviewFigures[]): OverviewFigures[] {
  const order = { live: 0, test: 1, unsaid: 2 }
  return figures.toSorted((one, other) => order[one.mode] - order[other.mode] || weigh(other) - weigh(one))
}

function Counting({ overview }: { overview: Overview | null }) {
  const formatCount = useCount()
  return (
    <p className="flex flex-wrap items-center gap-3 text-ink-soft">
      <progress aria-label={words.countingPayments} className="h-1.5 w-40" />
      {overview
        ? words.paymentsCountedSoFar(overview.counted, formatCount(overview.counted))
        : words.countingPaymentsLabel}
    </p>
  )
}

/**
 * What will be collected, what was settled and what needs a look: counted from the payments while one watches.
 * `children` stand beside the charts, whether the figures are there or not.
 */
export function Figures({ children }: { children: ReactNode }) {
  const { overview, error, isWalking, again } = useOverview()
  const [chosen, setChosen] = useState<string | null>(null)
  const groups = sortFigures(overview?.figures ?? [])
  const shown = groups.find((group) => nameGroup(group) === chosen) ?? groups[0]
  // Then there is nothing for the others to stand beside.
  const hasFailed = !isWalking && !shown && (error !== null || Boolean(overview?.failure))
  return (
    <section
      aria-labelledby="figures"
      data-overview={overview?.state ?? 'walking'}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="figures" className="text-base font-semibold">
            {words.collections}
          </h2>
          {isWalking ? <Counting overview={overview} /> : overview ? <CountedFrom overview={overview} /> : null}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {groups.length > 1 && shown ? (
            <Select
              aria-label={words.modeAndCurrency}
              className="max-w-60"
              value={nameGroup(shown)}
              onChange={(event) => setChosen(event.target.value)}
            >
              {groups.map((group) => (
                <option key={nameGroup(group)} value={nameGroup(group)}>
                  {showInvisible(nameGroup(group))}
                </option>
              ))}
            </Select>
          ) : null}
          {isWalking ? null : (
            <Button size="small" onClick={again}>
              {words.countAgain}
            </Button>
          )}
        </div>
      </div>
      {error === null ? null : <ProblemNotice facts={readProblemFacts(error)} onRetry={again} />}
      {!isWalking && overview?.failure ? (
        <ProblemNotice facts={describeFailure(overview.failure)} onRetry={again} />
      ) : null}
      {shown ? <SummaryTiles figures={shown} asOf={overview?.asOf ?? ''} /> : null}
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
          {shown ? <NeedsALook figures={shown} /> : null}
          {children}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          {shown ? (
            <>
              <SpanChart
                title={words.toComePerDay}
                kind="day"
                spans={shown.toCome}
                currency={shown.currency}
                name={nameGroup(shown)}
              />
              <SpanChart
                title={words.settledPerMonth}
                kind="month"
                spans={shown.settled}
                currency={shown.currency}
                name={nameGroup(shown)}
              />
            </>
          ) : isWalking ? (
            <Skeleton className="h-72 rounded-lg" />
          ) : null}
          {!isWalking && error === null && !overview?.failure && groups.length === 0 ? (
            <p className="rounded-lg border border-line bg-surface p-5 text-ink-soft">{words.thereIsNothingToCount}</p>
          ) : null}
        </div>
      </div>
    </section>
  )
}
