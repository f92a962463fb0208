'use client'

import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type DragEvent, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { densityCookie } from '@/lib/domain/lists/list-preferences'
import { type ShownColumn, formatLayout } from '../data-table/column-layout'
import { Button } from '../ui/button'
import { Checkbox, Radio, Select } from '../ui/input'
import type { ListToolsProps } from './tool-props'
import * as m from '@/lib/messages/m'

const DENSITIES = [
  { value: undefined, name: m.displaying_comfortable },
  { value: 'compact', name: m.displaying_compact },
] as const

const getDensity = () => document.documentElement.dataset.density

function subscribe(onChange: () => void): () => void {
  const watch = new MutationObserver(onChange)
  watch.observe(document.documentElement, { attributeFilter: ['data-density'] })
  return () => watch.disconnect()
}

/** Stored in this browser for a year. The server reads the cookie, so that pages render in the right density. */
function setDensity(value: 'compact' | undefined): void {
  if (value) document.documentElement.dataset.density = value
  else delete document.documentElement.dataset.density
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in every browser
  document.cookie = `${densityCookie}=${value ?? ''}; path=/; max-age=${value ? 31_536_000 : 0}; samesite=lax${secure}`
}

/** Row density, for all lists in this browser. */
export function DensitySwitch() {
  const name = useId()
  const density = useSyncExternalStore(subscribe, getDensity, () => undefined)
  return (
    <fieldset className="flex flex-wrap items-center gap-x-5 gap-y-1 max-md:hidden">
      <legend className="float-left mr-5 font-medium">{m.displaying_rows()}</legend>
      {DENSITIES.map((choice) => (
        <label key={choice.value ?? 'comfortable'} className="flex min-h-8 items-center gap-2">
          <Radio name={name} checked={density === choice.value} onChange={() => setDensity(choice.value)} />
          {choice.name()}
        </label>
      ))}
    </fieldset>
  )
}

type ColumnRowProps = {
  column: ShownColumn
  place: { at: number; count: number }
  onMove: (id: string, by: number) => void
  onWidth: (width: string) => void
  onHide: () => void
}

const DRAG_TYPE = 'application/x-debitdesk-column'
const WIDTHS_PX = [80, 120, 160, 200, 260, 340]
const buttonClassName =
  'inline-flex size-8 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink aria-disabled:opacity-40'

/** One shown column: its position, width, and the checkbox that hides it. */
export function ColumnRow({ column, place, onMove, onWidth, onHide }: ColumnRowProps) {
  const { id, label, width, usualWidth } = column
  const { at, count } = place
  const pixels = width === usualWidth ? null : Math.round(Number.parseFloat(width) * 16)
  const isLast = count === 1

  function drop(event: DragEvent): void {
    const from = event.dataTransfer.getData(DRAG_TYPE)
    const [dragged = '', index = ''] = from.split(' ')
    if (from === '') return
    event.preventDefault()
    onMove(dragged, at - Number(index))
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for a pointer; the buttons do the same
    <li
      draggable
      data-column={id}
      onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, `${id} ${at}`)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAG_TYPE) && event.preventDefault()}
      onDrop={drop}
      className="flex flex-wrap items-center gap-x-1 border-b border-line py-1 last:border-b-0"
    >
      <GripVertical className="size-4 cursor-grab text-ink-faint" />
      <label
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5"
        title={isLast ? m.displaying_oneColumnStays() : undefined}
      >
        <Checkbox checked aria-disabled={isLast || undefined} onChange={() => isLast || onHide()} />
        <span className="truncate">{label}</span>
        {at === 0 ? <span className="shrink-0 text-xs text-ink-soft">{m.displaying_staysInSight()}</span> : null}
      </label>
      <Select
        aria-label={m.displaying_widthOf({ header: label })}
        value={pixels ?? ''}
        onChange={({ target }) => onWidth(target.value === '' ? usualWidth : `${Number(target.value) / 16}rem`)}
        className="w-34 shrink-0"
      >
        <option value="">{m.displaying_usualWidth()}</option>
        {[...new Set([...WIDTHS_PX, ...(pixels === null ? [] : [pixels])])]
          .toSorted((one, other) => one - other)
          .map((one) => (
            <option key={one} value={one}>
              {m.displaying_px({ width: one })}
            </option>
          ))}
      </Select>
      <button
        type="button"
        aria-label={m.displaying_moveUp({ header: label })}
        aria-disabled={at === 0 || undefined}
        className={buttonClassName}
        onClick={() => onMove(id, -1)}
      >
        <ArrowUp className="size-4" />
      </button>
      <button
        type="button"
        aria-label={m.displaying_moveDown({ header: label })}
        aria-disabled={at === count - 1 || undefined}
        className={buttonClassName}
        onClick={() => onMove(id, 1)}
      >
        <ArrowDown className="size-4" />
      </button>
    </li>
  )
}

type DisplayPanelProps = Pick<ListToolsProps, 'columns' | 'columnChoice'>

/** Display settings of a list: density and the choice, order and width of columns. Changes apply immediately. */
export function DisplayPanel({ columns, columnChoice }: DisplayPanelProps) {
  // What is chosen here is shown whatever the room.
  const withoutCards = (all: readonly ShownColumn[]) =>
    all.filter(({ from }) => from !== 'card').map((column) => ({ ...column, from: undefined }))
  const shown = withoutCards(columnChoice.columns)
  const hidden = columns.filter(({ id }) => !shown.some((one) => one.id === id))

  const panel = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const toggled = useRef<string | null>(null)
  /** Where the column stands that was moved last. */
  const [moved, setMoved] = useState('')
  useLayoutEffect(() => {
    if (toggled.current === null) return
    // The pressed checkbox is another one now, in the other list.
    const box = panel.current?.querySelector<HTMLElement>(`[data-column="${toggled.current}"] [type=checkbox]`)
    if (box && box === document.activeElement) return
    toggled.current = null
    if (document.activeElement === document.body) box?.focus()
  })

  function toggle(id: string, change: (newest: ShownColumn[]) => readonly ShownColumn[]): void {
    // Focusing scrolls the panel there, which only whoever uses the keyboard needs.
    toggled.current = document.activeElement?.matches(':focus-visible') ? id : null
    changeColumns(change)
  }

  function reset(): void {
    // The pressed button disappears.
    heading.current?.focus()
    columnChoice.change(null)
  }

  /** Changes the newest columns, which those on the screen may lag behind by a keystroke. */
  const changeColumns = (change: (newest: ShownColumn[]) => readonly ShownColumn[]) =>
    columnChoice.change(formatLayout(change(withoutCards(columnChoice.readNewest()))))

  /** Moves a column to the index of the one that is `by` further. */
  const move = (id: string, by: number) =>
    changeColumns((newest) => {
      const from = newest.findIndex((column) => column.id === id)
      const to = Math.min(newest.length - 1, Math.max(0, from + by))
      if (newest[from])
        setMoved(m.displaying_movedTo({ header: newest[from].label, place: to + 1, count: newest.length }))
      return from === -1 ? newest : newest.toSpliced(from, 1).toSpliced(to, 0, ...newest.slice(from, from + 1))
    })

  return (
    <div ref={panel} className="grid gap-5">
      <p className="text-ink-soft md:hidden">{m.displaying_onAWiderScreen()}</p>
      <DensitySwitch />
      <section aria-labelledby="columns-shown" className="max-md:hidden">
        <div className="flex items-center justify-between gap-3">
          <h3 id="columns-shown" ref={heading} tabIndex={-1} className="font-medium">
            {m.displaying_columns()}
          </h3>
          {columnChoice.layout === null || columnChoice.isFromView ? null : (
            <Button tone="quiet" size="small" onClick={reset}>
              {m.displaying_backToTheUsualOnes()}
            </Button>
          )}
        </div>
        <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
          {columnChoice.isFromView ? m.displaying_theseBelongToTheView() : m.displaying_forYouWhereverYouSign()}
        </p>
        {columnChoice.isFromView ? (
          <Button size="small" className="mt-2" onClick={reset}>
            {m.displaying_takeMyOwnColumns()}
          </Button>
        ) : null}
        <ol aria-label={m.displaying_columnsThatAreShown()} className="mt-3 border-y border-line">
          {shown.map((column, at) => (
            <ColumnRow
              key={column.id}
              column={column}
              place={{ at, count: shown.length }}
              onMove={move}
              onWidth={(width) =>
                changeColumns((newest) => newest.map((one) => (one.id === column.id ? { ...one, width } : one)))
              }
              onHide={() =>
                toggle(column.id, (newest) =>
                  newest.length === 1 ? newest : newest.filter(({ id }) => id !== column.id),
                )
              }
            />
          ))}
        </ol>
        <output className="sr-only">{moved}</output>
        {hidden.length > 0 ? (
          <ul aria-label={m.displaying_furtherColumns()} className="mt-2 grid grid-cols-2 gap-x-4">
            {hidden.map((column) => (
              <li key={column.id} data-column={column.id}>
                <label className="flex min-h-8 items-center gap-2.5">
                  <Checkbox
                    checked={false}
                    onChange={() =>
                      toggle(column.id, (newest) => [...newest.filter(({ id }) => id !== column.id), column])
                    }
                  />
                  {column.label}
                </label>
              </li>
            ))}
          </ul>
        ) : null}
      </section>
    </div>
  )
}
