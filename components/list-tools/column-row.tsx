'use client'

import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import type { DragEvent } from 'react'
import { Select } from '../ui/select'
import type { ShownColumn } from '../data-table/column-layout'
import * as words from '@/lib/words/displaying'

type ColumnRowProps = {
  column: ShownColumn
  /** The width that the table gives it. */
  declared: string | undefined
  place: { at: number; count: number }
  onMove: (from: number, to: number) => void
  onWidth: (width: string) => void
  onHide: () => void
}

const kind = 'application/x-debitdesk-column'
const widths = [80, 120, 160, 200, 260, 340]
const button =
  'inline-flex size-8 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink aria-disabled:opacity-40 max-md:size-11'

/** One column that is shown: where it stands, how wide it is, and the tick that takes it away. */
export function ColumnRow({ column: { id, label, width }, declared, place, onMove, onWidth, onHide }: ColumnRowProps) {
  const { at, count } = place
  const pixels = width === declared ? null : Math.round(Number.parseFloat(width) * 16)
  const isLast = count === 1

  function drop(event: DragEvent): void {
    const from = event.dataTransfer.getData(kind)
    if (from === '') return
    event.preventDefault()
    onMove(Number(from), at)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for a pointer; the buttons do the same
    <li
      draggable
      data-column={id}
      onDragStart={(event) => event.dataTransfer.setData(kind, String(at))}
      onDragOver={(event) => event.dataTransfer.types.includes(kind) && event.preventDefault()}
      onDrop={drop}
      className="flex flex-wrap items-center gap-x-1 border-b border-line py-1 last:border-b-0"
    >
      <GripVertical className="size-4 cursor-grab text-ink-faint max-md:hidden" />
      <label
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 max-md:min-h-11"
        title={isLast ? words.oneColumnStays : undefined}
      >
        <input
          type="checkbox"
          checked
          aria-disabled={isLast || undefined}
          onChange={() => isLast || onHide()}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="truncate">{label}</span>
        {at === 0 ? <span className="shrink-0 text-xs text-ink-soft max-md:hidden">{words.staysInSight}</span> : null}
      </label>
      <Select
        aria-label={words.widthOf(label)}
        value={pixels ?? ''}
        onChange={({ target }) =>
          onWidth(target.value === '' ? (declared ?? width) : `${Number(target.value) / 16}rem`)
        }
        className="w-34 shrink-0"
      >
        <option value="">{words.usualWidth}</option>
        {[...new Set([...widths, ...(pixels === null ? [] : [pixels])])]
          .toSorted((one, other) => one - other)
          .map((one) => (
            <option key={one} value={one}>
              {words.px(one)}
            </option>
          ))}
      </Select>
      <button
        type="button"
        aria-label={words.moveUp(label)}
        aria-disabled={at === 0 || undefined}
        className={button}
        onClick={() => onMove(at, at - 1)}
      >
        <ArrowUp className="size-4" />
      </button>
      <button
        type="button"
        aria-label={words.moveDown(label)}
        aria-disabled={at === count - 1 || undefined}
        className={button}
        onClick={() => onMove(at, at + 1)}
      >
        <ArrowDown className="size-4" />
      </button>
    </li>
  )
}
