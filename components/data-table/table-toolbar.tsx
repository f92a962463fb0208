'use client'

import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { findCachedValues } from '@/lib/client/list-queries'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { PageForm } from '../forms/before-hydration'
import { focusFirstFilter } from '../forms/form-elements'
import { SearchField } from '../forms/search-field'
import { type ChangeFilters, FilterPills } from '../list-filters/filter-pills'
import type { TableFilter } from '@/lib/domain/lists/filter-values'
import { Button } from '../ui/button'
import { mergeClasses } from '../ui/merge-classes'
import type { TableView } from './table-view'
import type { ChangeView } from './use-table-view'
import * as m from '@/lib/messages/m'

type TableToolbarProps = {
  listId: ListId
  filters: readonly TableFilter[]
  view: TableView
  change: ChangeView
  /** A note on the reach of the filters; empty if there is nothing to say. */
  note: string
  children?: ReactNode
}

/** The last note; its space stays reserved so that nothing below moves when it disappears. */
function useLastNote(isFiltered: boolean, note: string): string {
  const [last, setLast] = useState(note)
  const next = note !== '' || !isFiltered ? note : last
  if (next !== last) setLast(next)
  return next
}

export function TableToolbar({ listId, filters, view, change, note, children }: TableToolbarProps) {
  const id = useId()
  const toolbar = useRef<HTMLElement>(null)
  const client = useQueryClient()
  const changeFilters: ChangeFilters = (part, history) =>
    void change(({ values }) => {
      const changed = typeof part === 'function' ? part(values) : part
      const next = Object.entries({ ...values, ...changed }).filter(([, value]) => value.trim() !== '')
      return { values: Object.fromEntries(next) }
    }, history)
  const search = filters.find((filter) => filter.kind === 'text' && filter.id === 'search')
  const isFiltered = Object.keys(view.values).length > 0
  const lastNote = useLastNote(isFiltered, note)
  return (
    <search ref={toolbar} className="dt-toolbar-room">
      <div className="dt-toolbar">
        {search?.kind === 'text' ? (
          <SearchField
            id={`${id}-search`}
            label={search.label()}
            placeholder={search.placeholder()}
            addsEntryAtOnce
            isShort={filters.length > 3}
            value={view.values.search ?? ''}
            onSearch={(value, history) => changeFilters({ search: value }, history)}
          />
        ) : null}
        {/* On a phone the row scrolls sideways; on a desktop `display: contents` puts its parts into the toolbar. */}
        <div className="dt-filter-strip">
          <FilterPills
            filters={filters.filter((filter) => filter !== search)}
            values={view.values}
            findSeen={(field) => findCachedValues(client, field, listId)}
            change={changeFilters}
          />
          {/* Its space is reserved on a desktop, so that the first filter moves nothing. */}
          <div className={isFiltered ? 'dt-clear' : 'dt-clear dt-clear-hidden'}>
            <PageForm
              onSubmit={() => {
                focusFirstFilter(toolbar.current)
                change({ values: {} })
              }}
              isPlain
            >
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
          {children ? (
            <div className="dt-tools flex shrink-0 items-center gap-1 md:order-2 md:ml-auto">{children}</div>
          ) : null}
        </div>
        {lastNote ? (
          <p className={mergeClasses('text-[0.8125rem] text-caution md:order-1', note === '' && 'invisible')}>
            {lastNote}
          </p>
        ) : null}
      </div>
    </search>
  )
}
