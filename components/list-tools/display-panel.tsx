'use client'

import { useState } from 'react'
import { callDesk } from '@/lib/browser/call'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { pageOfList } from '@/lib/contract/saved-view'
import * as words from '@/lib/words/displaying'
import { type ShownColumn, writeLayout } from '../data-table/column-layout'
import { ProblemNotice } from '../problem-notice'
import { Button } from '../ui/button'
import { ColumnRow } from './column-row'
import { DensitySwitch } from './density-switch'
import type { ListToolsProps } from './list-tools'

type DisplayPanelProps = Pick<ListToolsProps, 'list' | 'columns' | 'choice'>

/** How a list is shown to its reader: close or roomy, and which columns, in which order and how wide. All of it counts at once. */
export function DisplayPanel({ list, columns, choice }: DisplayPanelProps) {
  const [error, setError] = useState<unknown>(null)
  const shown = choice.columns.filter(({ from }) => from !== 'card')
  const hidden = columns.filter(({ id }) => !shown.some((one) => one.id === id))

  async function keep(layout: string | null): Promise<void> {
    choice.change(layout)
    if (choice.isOfView) return
    try {
      await callDesk('/columns', { method: 'PUT', body: { list: pageOfList(list), columns: layout } })
      setError(null)
    } catch (cause) {
      setError(cause)
    }
  }

  const take = (next: readonly ShownColumn[]) => void keep(writeLayout(next, columns))

  /** Moves the column at one place to where another is. */
  function move(from: number, to: number): void {
    const moved = shown[from]
    if (!moved || to < 0 || to >= shown.length) return
    take(shown.toSpliced(from, 1).toSpliced(to, 0, moved))
  }

  return (
    <div className="grid gap-5">
      <DensitySwitch />
      <section aria-labelledby="columns-shown">
        <div className="flex items-center justify-between gap-3">
          <h3 id="columns-shown" className="font-medium">
            {words.columns}
          </h3>
          {choice.layout === null || choice.isOfView ? null : (
            <Button tone="quiet" size="small" onClick={() => void keep(null)}>
              {words.backToTheUsualOnes}
            </Button>
          )}
        </div>
        <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
          {choice.isOfView ? words.theseBelongToTheView : words.forYouWhereverYouSign}
        </p>
        {choice.isOfView ? (
          <Button size="small" className="mt-2" onClick={choice.takeOwn}>
            {words.takeMyOwnColumns}
          </Button>
        ) : null}
        <ol aria-label={words.columnsThatAreShown} className="mt-3 border-y border-line">
          {shown.map((column, at) => (
            <ColumnRow
              key={column.id}
              column={column}
              declared={columns.find(({ id }) => id === column.id)?.width}
              place={{ at, count: shown.length }}
              onMove={move}
              onWidth={(width) => take(shown.with(at, { ...column, width }))}
              onHide={() => take(shown.toSpliced(at, 1))}
            />
          ))}
        </ol>
        {hidden.length > 0 ? (
          <ul aria-label={words.furtherColumns} className="mt-2 grid grid-cols-2 gap-x-4 max-md:grid-cols-1">
            {hidden.map((column) => (
              <li key={column.id}>
                <label className="flex min-h-8 items-center gap-2.5 max-md:min-h-11">
                  <input
                    type="checkbox"
                    checked={false}
                    onChange={() => take([...shown, column])}
                    className="size-4 accent-accent"
                  />
                  {column.label}
                </label>
              </li>
            ))}
          </ul>
        ) : null}
      </section>
      {error === null ? null : <ProblemNotice facts={readProblemFacts(error)} />}
    </div>
  )
}
