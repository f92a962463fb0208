'use client'

import { ChevronDown, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useAskedPart } from '../feedback/use-asked-part'
import { useFocusLost, useHydrated } from '@/lib/client/page-lifecycle'
import * as m from '@/lib/messages/m'
import { useAppConfig } from '../layout/app-config'
import { describeFilter, type FilterValues, type TableFilter } from '@/lib/domain/lists/filter-values'

/**
 * Changes filter values; empty ones are removed. A function is given the current values, which the rendered ones may
 * lag behind.
 */
export type ChangeFilters = (
  change: FilterValues | ((current: FilterValues) => FilterValues),
  history: 'push' | 'replace',
) => void

type Pill = {
  key: string
  label: string
  /** The filters that its panel offers: one, the dates of a list, or those that are seldom needed. */
  filters: readonly TableFilter[]
  current: TableFilter | null
}

/**
 * One pill per filter; several dates share the pill "Date", those that are seldom needed "More filters", and each that
 * is set has its own. The pill `open`, whose panel is open, stays whatever is set in it.
 */
function listPills(filters: readonly TableFilter[], values: FilterValues, open: string | null): Pill[] {
  const dates = filters.filter(({ kind, isSeldom }) => kind === 'days' && !isSeldom)
  const isShared = dates.length > 1
  const unset = filters.filter(({ id, isSeldom }) => isSeldom && values[id] === undefined && id !== open)
  const seldom = unset.length > 1 || open === 'more' ? unset : []
  const pills = filters.flatMap((filter): Pill[] => {
    if (seldom.includes(filter)) return []
    const current = values[filter.id] === undefined ? null : filter
    if (!dates.includes(filter) || !isShared)
      return [{ key: filter.id, label: filter.label(), filters: [filter], current }]
    const own: Pill[] = current ? [{ key: filter.id, label: filter.label(), filters: dates, current }] : []
    return filter === dates.at(-1)
      ? [...own, { key: 'date', label: m.filters_date(), filters: dates, current: null }]
      : own
  })
  return seldom.length > 0 || open === 'more'
    ? [...pills, { key: 'more', label: m.filters_more(), filters: seldom, current: null }]
    : pills
}

const loadPanel = async () => (await import('./filter-panel')).FilterPanel

type FilterPillProps = {
  pill: Pill
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  values: FilterValues
  findSeen: (field: string) => readonly string[]
  change: ChangeFilters
}

function FilterPill({ pill, isOpen, setOpen, values, findSeen, change }: FilterPillProps) {
  const { label, filters, current } = pill
  const config = useAppConfig()
  const isHydrated = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  const { part: Panel } = useAskedPart(isOpen, loadPanel, () => setOpen(false))
  const element = useFocusLost<HTMLSpanElement>(({ nextElementSibling, previousElementSibling }) => {
    const neighbour = nextElementSibling?.matches('.dt-pill') ? nextElementSibling : previousElementSibling
    neighbour?.querySelector('button')?.focus()
  })

  function remove(id: string): void {
    // The pressed button disappears, and with some the pill.
    button.current?.focus()
    change({ [id]: '' }, 'push')
  }

  function close(): void {
    if (document.activeElement?.closest('[role=dialog]')) button.current?.focus()
    setOpen(false)
  }

  return (
    <span ref={element} className="dt-pill" data-set={current ? '' : undefined}>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={!isHydrated}
        onPointerEnter={() => void loadPanel().catch(() => undefined)}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="truncate">
          {current ? m.filters_chip({ label, value: describeFilter(current, values, config) }) : label}
        </span>
        {current ? null : <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-faint" />}
      </button>
      {current ? (
        <button
          type="button"
          aria-label={m.filters_remove({ label })}
          title={m.filters_remove({ label })}
          onClick={() => remove(current.id)}
        >
          <X aria-hidden className="size-4" />
        </button>
      ) : null}
      {isOpen && Panel ? (
        <Panel
          filters={filters}
          current={current}
          values={values}
          findSeen={findSeen}
          anchor={button}
          change={change}
          onClose={close}
        />
      ) : null}
    </span>
  )
}

/** The filters of a list: a button each, which says what is set, and one to remove it. */
export function FilterPills({
  filters,
  values,
  ...rest
}: Pick<FilterPillProps, 'values' | 'findSeen' | 'change'> & { filters: readonly TableFilter[] }) {
  const [open, setOpen] = useState<string | null>(null)
  return listPills(filters, values, open).map((pill) => (
    <FilterPill
      key={pill.key}
      pill={pill}
      isOpen={pill.key === open}
      setOpen={(isOpen) => setOpen(isOpen ? pill.key : null)}
      values={values}
      {...rest}
    />
  ))
}
