'use client'

import { X } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { getField } from '@/lib/domain/lists/row-matching'
import { escapeInvisible } from '@/lib/domain/visible-text'
import { PageForm } from '../forms/before-hydration'
import { SearchField } from '../forms/search-field'
import { Button } from '../ui/button'
import { Select } from '../ui/input'
import { mergeClasses } from '../ui/merge-classes'
import type { TableFilter } from './list-definition'
import type { TableView } from './table-view'
import type { RowList } from './use-list-query'
import type { ChangeView } from './use-table-view'

import * as m from '@/lib/messages/m'
/** Rows searched for filter values. A rarer value appears once its row is loaded, or through the URL. */
const MAX_ROWS_SEARCHED = 500

/** The values of open choices in the first loaded rows, by filter id. */
export function useSeenValues<Row>(
  list: RowList<Row>,
  filters: readonly TableFilter[],
): Record<string, readonly string[]> {
  const size = Math.min(MAX_ROWS_SEARCHED, list.loaded)
  const first = list.loadedAt(0)
  return useMemo(() => {
    const open = filters.filter((filter) => filter.kind === 'choice' && filter.isOpen)
    const rows = Array.from({ length: size }, (_, position) => list.loadedAt(position))
    return Object.fromEntries(
      open.map((filter) => {
        const field = filter.kind === 'choice' ? filter.field : ''
        const values = rows
          .map((row) => getField(row, field))
          .filter((value) => typeof value === 'string' && value !== '')
        return [filter.id, [...new Set(values.map(String))].toSorted()]
      }),
    )
    // oxlint-disable-next-line react/exhaustive-deps -- a further page changes nothing once so many are loaded
  }, [filters, size, first])
}

type TableToolbarProps = {
  filters: readonly TableFilter[]
  view: TableView
  change: ChangeView
  /** Values of open choices that occur in the loaded rows, by filter id. */
  seenValues: Readonly<Record<string, readonly string[]>>
  /** A note on the reach of the filters; empty if there is nothing to say. */
  note: string
  children?: ReactNode
}

type ChoiceProps = {
  id: string
  filter: TableFilter & { kind: 'choice' }
  value: string
  seenValues: readonly string[]
  onChoose: (value: string) => void
}

function equalsIgnoringCase(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/** The declared options in the API's own spelling where known, then the undeclared ones. */
function mergeOptions({ options }: ChoiceProps['filter'], seen: readonly string[]): { value: string; label: string }[] {
  const declared = options.map(({ value, label }) => ({
    value: seen.find((one) => equalsIgnoringCase(one, value)) ?? value,
    label: label(),
  }))
  const others = seen.filter(
    (one, at) =>
      !options.some(({ value }) => equalsIgnoringCase(one, value)) &&
      seen.findIndex((other) => equalsIgnoringCase(one, other)) === at,
  )
  return [...declared, ...others.map((one) => ({ value: one, label: escapeInvisible(one) }))]
}

function Choice({ id, filter, value, seenValues, onChoose }: ChoiceProps) {
  const options = mergeOptions(filter, [...seenValues, ...(value === '' ? [] : [value])])
  const chosen = options.find((option) => equalsIgnoringCase(option.value, value))?.value ?? ''
  return (
    <div className="flex shrink-0 items-center gap-2">
      <label htmlFor={id} className="text-ink-soft">
        {filter.label()}
      </label>
      <Select
        id={id}
        className={filter.isOpen ? 'w-36 md:max-[88rem]:w-32' : 'max-w-44'}
        value={chosen}
        disabled={!useHydrated()}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">{m.lists_all()}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** The last note; its space stays reserved so that nothing below moves when it disappears. */
function useLastNote(isFiltered: boolean, note: string): string {
  const [last, setLast] = useState(note)
  const next = note !== '' || !isFiltered ? note : last
  if (next !== last) setLast(next)
  return next
}

/** The filters of a table and their note. */
export function TableToolbar({ filters, view, change, seenValues, note, children }: TableToolbarProps) {
  const id = useId()
  function setFilter(name: string, value: string, history: 'push' | 'replace'): void {
    change(({ values }) => {
      const { [name]: _, ...others } = values
      return { values: value.trim() === '' ? others : { ...others, [name]: value } }
    }, history)
  }
  const isFiltered = Object.keys(view.values).length > 0
  const lastNote = useLastNote(isFiltered, note)
  return (
    <search className="dt-toolbar">
      {filters.map((filter) =>
        filter.kind === 'text' ? (
          <SearchField
            key={filter.id}
            id={`${id}-${filter.id}`}
            label={filter.label()}
            placeholder={filter.placeholder()}
            isShort={filters.length > 3}
            value={view.values[filter.id] ?? ''}
            onSearch={(value, history) => setFilter(filter.id, value, history)}
          />
        ) : null,
      )}
      {/* On a phone the row scrolls sideways; on a desktop `display: contents` puts its parts into the toolbar. */}
      <div className="dt-filter-strip">
        {filters.map((filter) =>
          filter.kind === 'choice' ? (
            <Choice
              key={filter.id}
              id={`${id}-${filter.id}`}
              filter={filter}
              value={view.values[filter.id] ?? ''}
              seenValues={seenValues[filter.id] ?? []}
              onChoose={(value) => setFilter(filter.id, value, 'push')}
            />
          ) : null,
        )}
        {/* Its space is reserved on a desktop, so that the first filter moves nothing. */}
        <div className={isFiltered ? 'dt-clear' : 'dt-clear dt-clear-hidden'}>
          <PageForm onSubmit={() => change({ values: {} })} isPlain>
            <Button
              tone="quiet"
              size="small"
              type="submit"
              aria-label={m.lists_clearFilters()}
              title={m.lists_clearFilters()}
            >
              <X aria-hidden className="size-4" />
              <span>{m.lists_clear()}</span>
            </Button>
          </PageForm>
        </div>
        {children ? <div className="flex shrink-0 items-center gap-1 md:order-2 md:ml-auto">{children}</div> : null}
      </div>
      {lastNote ? (
        <p className={mergeClasses('text-[0.8125rem] text-caution md:order-1', note === '' && 'invisible')}>
          {lastNote}
        </p>
      ) : null}
    </search>
  )
}
