'use client'

import {
  columnFilteringFeature,
  columnSizingFeature,
  createColumnHelper,
  createFilteredRowModel,
  filterFn_equals,
  rowSelectionFeature,
  tableFeatures,
} from '@tanstack/react-table'
import { createContext, type KeyboardEvent, useContext, useRef } from 'react'
import { findReasonError } from '@/components/cancellations/reason-field'
import { Anchor } from '@/components/layout/link'
import { Amount } from '@/components/payments/amount'
import { OutcomeBadge, TestBadge } from '@/components/payments/badges'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { mergeClasses } from '@/components/ui/merge-classes'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import type { BulkResultRow, BulkRowChange, BulkVerdict } from '@/lib/domain/cancellations/bulk-cancellation'
import { labelRow, verdictLabels } from '@/lib/domain/cancellations/bulk-messages'
import { describeOutcome } from '@/lib/domain/cancellations/outcome-reasons'
import { describeState } from '@/lib/domain/states'
import { buildPagePath } from '@/lib/domain/page-address'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import * as m from '@/lib/messages/m'

/** Reads and changes reasons by row position. */
export type Reasons = {
  read: (row: BulkResultRow) => string
  change: (position: number, reason: string) => void
  /** Puts lines into the reasons of a row and of those below it. */
  fill: (position: number, lines: readonly string[]) => void
}

/** Enter goes to the reason below, with Shift to the one above. */
function goToNeighbour(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-row-reason]')]
  fields[fields.indexOf(event.currentTarget) + (event.shiftKey ? -1 : 1)]?.focus()
}

/** `as-given`: read-only, as submitted with the list. */
export const ReasonsContext = createContext<Reasons | 'as-given'>('as-given')

/** Takes a row out of the list, or back in; null where the list can't be changed. */
export const RowChangeContext = createContext<((change: BulkRowChange) => void) | null>(null)

/** The button of the row below, or of the one above. */
function findNextButton(button: HTMLButtonElement): HTMLButtonElement | undefined {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-row-change]')]
  const index = buttons.indexOf(button)
  return buttons[index + 1] ?? buttons[index - 1]
}

/** `isListed`: whether the filter lets the row through, in sight or not. */
function RowChangeCell({ row: { position, verdict }, isListed }: { row: BulkResultRow; isListed: () => boolean }) {
  const change = useContext(RowChangeContext)
  /** What the row was when its button was last pressed. */
  const pressedAt = useRef<BulkVerdict | null>(null)
  // Only whoever has just left out a row goes on to the next: a press there changes another one.
  const button = useFocusLost<HTMLButtonElement>((lost) => {
    const next = pressedAt.current === verdict && !isListed() ? findNextButton(lost) : undefined
    const target = next ?? lost.closest<HTMLElement>('[data-scroller]')
    target?.focus({ preventScroll: true })
  })
  if (change === null || (verdict !== 'cancellable' && verdict !== 'left-out')) return null
  const isLeftOut = verdict === 'left-out'
  const label = { position: position + 1 }
  return (
    <Button
      ref={button}
      data-row-change=""
      size="small"
      tone="quiet"
      aria-label={isLeftOut ? m.bulkCancellation_takeIn(label) : m.bulkCancellation_leaveOut(label)}
      // A key that is held down must not go from row to row.
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
      onClick={() => {
        pressedAt.current = verdict
        change({ position, isLeftOut: !isLeftOut })
      }}
    >
      {isLeftOut ? m.bulkCancellation_takeInShort() : m.bulkCancellation_leaveOutShort()}
    </Button>
  )
}

/** What is wrong with a reason; null also for an empty one, which is still to come. */
export function findRowError(reason: string): string | null {
  return reason.trim() === '' ? null : findReasonError(reason)
}

/** The reason of one row: as submitted, or an input if each row has its own. */
export function ReasonCell({ row }: { row: BulkResultRow }) {
  const reasons = useContext(ReasonsContext)
  if (reasons === 'as-given')
    return (
      <span
        title={escapeInvisible(row.reason ?? '') || undefined}
        className="line-clamp-2 text-[0.8125rem]/4 whitespace-normal text-ink-soft md:line-clamp-4"
      >
        <UntrustedText>{row.reason ?? ''}</UntrustedText>
      </span>
    )
  const reason = reasons.read(row)
  const error = findRowError(reason)
  return (
    <Input
      className="h-8 w-full max-md:h-11"
      aria-label={m.bulkCancellation_reasonForRow({ position: row.position + 1 })}
      placeholder={m.bulkCancellation_noReasonForThisRow()}
      aria-invalid={error ? true : undefined}
      title={error ?? undefined}
      data-row-reason=""
      onKeyDown={goToNeighbour}
      onPaste={(event) => {
        const lines = event.clipboardData
          .getData('text')
          .replace(/\r?\n$/u, '')
          .split(/\r?\n/u)
        if (lines.length < 2) return
        event.preventDefault()
        reasons.fill(row.position, lines)
      }}
      value={reason}
      onChange={(event) => reasons.change(row.position, event.target.value)}
    />
  )
}

export const bulkFeatures = tableFeatures({
  columnFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  filterFns: { equals: filterFn_equals },
  columnSizingFeature,
  rowSelectionFeature,
})

/** Column sizes are in rem: those of a list, with its selection, fit into a window of 1280 pixels beside the side menu. */
const helper = createColumnHelper<typeof bulkFeatures, BulkResultRow>()

/** Whether a row was no part of what was confirmed. */
export function isNotPart({ verdict }: BulkResultRow): boolean {
  return verdict !== 'cancellable'
}

function Outcome({ row }: { row: BulkResultRow }) {
  const { outcome, why, detail, leftTo } = row
  if (isNotPart(row))
    return (
      <span className="flex items-center gap-2">
        <Badge data-outcome="not-part">{m.bulkStates_notPart()}</Badge>
        {/* On a card it needs no line of its own. */}
        <span className="line-clamp-2 text-[0.8125rem]/4 whitespace-normal text-ink-soft md:hidden">
          {explainOutcome(row)}
        </span>
      </span>
    )
  if (outcome === 'unsent' || outcome === 'left')
    return (
      <Badge data-outcome={outcome} title={leftTo ? m.bulkCancellation_askedForIt({ leftTo }) : undefined}>
        {labelRow(row)}
      </Badge>
    )
  const view = { outcome, reason: why, detail }
  return <OutcomeBadge view={view} why={describeOutcome(view)} />
}

function explainOutcome({ verdict, outcome, why, detail, leftTo, closed }: BulkResultRow): string {
  if (verdict === 'left-out') return m.bulkCancellation_leftOutByHand()
  if (verdict !== 'cancellable') return verdictLabels[verdict]()
  if (leftTo !== null) return m.bulkCancellation_leftToTheCancellation({ leftTo })
  if (why === 'restored') return m.outcomes_reasonsRestored()
  if (outcome === 'unsent' || outcome === 'left') return ''
  return closed || outcome !== 'sending' ? (describeOutcome({ outcome, reason: why, detail }) ?? '') : ''
}

const position = helper.accessor('position', {
  header: m.bulkCancellation_row,
  size: 3.5,
  cell: ({ getValue }) => getValue() + 1,
})

const reference = helper.display({
  id: 'reference',
  header: m.bulkCancellation_payment,
  size: 8,
  cell: ({ row: { original } }) => {
    const shown = original.facts?.reference ?? original.given
    const page = original.paymentId ? buildPagePath('/payments', original.paymentId) : null
    return page ? (
      <Anchor href={page} className="hover:underline">
        <UntrustedText>{shown}</UntrustedText>
      </Anchor>
    ) : (
      <UntrustedText>{shown}</UntrustedText>
    )
  },
})

const payer = helper.display({
  id: 'payer',
  header: m.bulkCancellation_payer,
  size: 6.75,
  cell: ({ row: { original } }) => (
    <span className="md:line-clamp-2 md:text-[0.8125rem]/4 md:whitespace-normal">
      <UntrustedText>{original.facts?.payer ?? '—'}</UntrustedText>
    </span>
  ),
})

const amount = helper.display({
  id: 'amount',
  header: m.bulkCancellation_amount,
  size: 8.75,
  cell: ({ row: { original } }) =>
    original.seen ? <Amount aligned amount={original.seen.amount} currency={original.seen.currency} /> : '—',
})

const mode = helper.display({
  id: 'mode',
  header: m.bulkCancellation_mode,
  size: 4.75,
  cell: ({ row: { original } }) =>
    original.facts ? (
      original.facts.test === false ? (
        m.bulkCancellation_live()
      ) : (
        <TestBadge test={original.facts.test} />
      )
    ) : (
      '—'
    ),
})

const verdict = helper.accessor('verdict', {
  header: m.bulkCancellation_canItBeCancelled,
  size: 13.5,
  filterFn: 'equals',
  cell: ({ getValue, row: { original } }) => (
    <span className="md:flex md:items-center">
      <Badge
        tone={getValue() === 'cancellable' ? 'positive' : 'neutral'}
        className="md:h-auto md:min-h-6 md:leading-4 md:whitespace-normal"
      >
        {verdictLabels[getValue()]()}
      </Badge>
      {original.seen?.status ? (
        <span className="ml-2 text-ink-soft">
          <UntrustedText>{describeState(original.seen.status)}</UntrustedText>
        </span>
      ) : null}
    </span>
  ),
})

const reason = helper.display({
  id: 'reason',
  header: m.bulkCancellation_reason,
  size: 9,
  cell: ({ row: { original } }) => (original.verdict === 'cancellable' ? <ReasonCell row={original} /> : null),
})

const outcome = helper.accessor((row) => (isNotPart(row) ? 'not-part' : row.outcome), {
  id: 'outcome',
  header: m.bulkCancellation_outcome,
  size: 11.75,
  filterFn: 'equals',
  cell: ({ row: { original } }) => <Outcome row={original} />,
})

const why = helper.display({
  id: 'why',
  header: m.bulkCancellation_why,
  size: 8,
  cell: ({ row: { original } }) => {
    const why = explainOutcome(original)
    return (
      <span
        title={why || undefined}
        className={mergeClasses(
          'line-clamp-2 text-[0.8125rem]/4 whitespace-normal text-ink-soft md:line-clamp-4',
          isNotPart(original) && 'max-md:hidden',
        )}
      >
        {why}
      </span>
    )
  },
})

const change = helper.display({
  id: 'change',
  header: m.bulkCancellation_change,
  size: 7,
  cell: ({ row: { id, original }, table }) => (
    <RowChangeCell row={original} isListed={() => id in table.getRowModel().rowsById} />
  ),
})

const givenReason = helper.accessor((row) => (isNotPart(row) ? null : row.reason), {
  id: 'given-reason',
  header: m.bulkCancellation_reason,
  size: 7.5,
  cell: ({ getValue }) => (
    <span
      title={escapeInvisible(getValue() ?? '') || undefined}
      className="line-clamp-2 text-[0.8125rem]/4 whitespace-normal text-ink-soft"
    >
      <UntrustedText>{getValue() ?? ''}</UntrustedText>
    </span>
  ),
})

const found = [position, reference, payer, amount, mode, verdict] as const

/** Columns before confirmation, with one reason for all rows. */
export const foundColumns = helper.columns([...found, change])

/** Columns before confirmation, with a reason per row. */
export const reasonColumns = helper.columns([...found, reason, change])

/** Columns of a list whose reasons are given: it waits for approval, or the reader may not cancel. */
export const givenColumns = helper.columns([...found, reason])

/** Columns of results. */
export const resultColumns = helper.columns([position, reference, payer, amount, mode, givenReason, outcome, why])

/** Those of given reasons are of the type of those found. */
export type BulkColumns = typeof foundColumns | typeof reasonColumns | typeof resultColumns

/** Up to these lengths they have room in two lines of their columns. */
const MAX_SHORT_REASON = 40
const MAX_SHORT_WHY = 24

/** Whether a row needs more lines, for the explanation of the outcome or for the reason. */
export function hasMoreLines(columns: BulkColumns, row: BulkResultRow, isCard: boolean): boolean {
  if (columns === foundColumns) return false
  if (columns === resultColumns) return !isNotPart(row) && explainOutcome(row) !== ''
  if (row.verdict !== 'cancellable') return false
  // A reason that is being written is an input of one line; a card has a line for it of its own.
  if (columns === reasonColumns) return isCard
  return row.reason !== null && (isCard || row.reason.length > MAX_SHORT_REASON)
}

/** The shares of columns in the space that is left over. */
const COLUMN_SHARES: Readonly<Record<string, number>> = { payer: 1, reason: 2, 'given-reason': 1, why: 3 }

/** Where no explanation needs the space. */
const SHORT_WHY_SHARES: Readonly<Record<string, number>> = { payer: 1, 'given-reason': 1 }

/** The shares of columns with these rows; while they change, explanations keep their space. */
export function getColumnShares(
  columns: BulkColumns,
  rows: readonly BulkResultRow[],
  isOver: boolean,
): Readonly<Record<string, number>> {
  const isShort =
    isOver && columns === resultColumns && rows.every((row) => explainOutcome(row).length <= MAX_SHORT_WHY)
  return isShort ? SHORT_WHY_SHARES : COLUMN_SHARES
}

/** Grid positions of the columns on a phone's card. */
export const CARD_POSITIONS: Readonly<Record<string, string>> = {
  reference: 'col-start-1 row-start-1 font-medium',
  amount: 'col-start-2 row-start-1',
  payer: 'col-start-1 row-start-2 text-ink-soft',
  mode: 'col-start-2 row-start-2 text-right',
  verdict: 'col-start-1 row-start-3',
  outcome: 'col-span-2 col-start-1 row-start-3',
  reason: 'col-span-2 col-start-1 row-start-4',
  why: 'col-span-2 col-start-1 row-start-4',
  position: 'hidden',
  'given-reason': 'hidden',
  change: 'col-start-2 row-start-3 justify-self-end',
}
