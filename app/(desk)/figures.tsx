'use client'

import { useState } from 'react'
import { formatCount } from '@/components/data-table/walk-words'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { CallError } from '@/lib/browser/call-error'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { Overview, OverviewFigures } from '@/lib/contract/overview'
import { CountedFrom } from './counted-from'
import { FigureCards } from './figure-cards'
import { useOverview } from './use-overview'

const modeNames = { live: 'Live', test: 'Test', unsaid: 'Mode not said' }

function nameGroup({ mode, currency }: OverviewFigures): string {
  return `${modeNames[mode]}, ${currency ?? 'currency not said'}`
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
  return (
    <p className="flex flex-wrap items-center gap-3 text-ink-soft">
      <progress aria-label="Counting payments" className="h-1.5 w-40 accent-accent" />
      {overview ? `${formatCount(overview.counted)} payments counted so far` : 'Counting payments…'}
    </p>
  )
}

/** What will be collected, what was settled and what needs a look: counted from the payments while one watches. */
export function Figures() {
  const { overview, error, again } = useOverview()
  const [chosen, setChosen] = useState<string | null>(null)
  const groups = sortFigures(overview?.figures ?? [])
  const shown = groups.find((group) => nameGroup(group) === chosen) ?? groups[0]
  const isWalking = error === null && (overview === null || overview.state === 'walking')
  return (
    <section
      aria-labelledby="figures"
      data-overview={overview?.state ?? 'walking'}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="figures" className="text-base font-semibold">
            Collections
          </h2>
          {isWalking ? <Counting overview={overview} /> : overview ? <CountedFrom overview={overview} /> : null}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {groups.length > 1 && shown ? (
            <Select
              aria-label="Mode and currency"
              value={nameGroup(shown)}
              onChange={(event) => setChosen(event.target.value)}
            >
              {groups.map((group) => (
                <option key={nameGroup(group)}>{nameGroup(group)}</option>
              ))}
            </Select>
          ) : null}
          {isWalking ? null : (
            <Button size="small" onClick={again}>
              Count again
            </Button>
          )}
        </div>
      </div>
      {error === null ? null : <ProblemNotice facts={readProblemFacts(error)} onRetry={again} />}
      {!isWalking && overview?.failure ? (
        <ProblemNotice facts={readProblemFacts(new CallError(502, overview.failure))} onRetry={again} />
      ) : null}
      {shown ? <FigureCards figures={shown} name={nameGroup(shown)} /> : null}
      {!isWalking && error === null && !overview?.failure && groups.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface p-5 text-ink-soft">
          There is nothing to count: no payments were found.
        </p>
      ) : null}
    </section>
  )
}
