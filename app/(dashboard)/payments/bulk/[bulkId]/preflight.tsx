'use client'

import { useId, useMemo, useRef, useState } from 'react'
import { findReasonError, ReasonField } from '@/components/cancellations/reason-field'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { useAppConfig } from '@/components/layout/app-config'
import { BulkSums } from '@/components/payments/bulk-sums'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/input'
import { bulkNeedsApproval, type OwnRule } from '@/lib/domain/cancellations/needs-approval'
import type { BulkResultRow, BulkSum, BulkVerdict, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { canonicalIdList, sumPayments } from '@/lib/domain/cancellations/bulk-list'
import { describeProblem, verdictLabels } from '@/lib/domain/cancellations/bulk-messages'
import { forgetText, isText, useKept } from '@/lib/client/kept-text'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import {
  findRowError,
  foundColumns,
  givenColumns,
  reasonColumns,
  type Reasons,
  ReasonsContext,
  RowChangeContext,
} from './bulk-columns'
import { BulkTable, FilterChips } from './bulk-table'
import { useShownGroup } from './use-shown-group'
import { DiscardDraft } from './discard-draft'
import { useRowChange, useStart } from './use-bulk'
import * as m from '@/lib/messages/m'

/**
 * The hex SHA-256 of the displayed ids, which the server compares with its own. Null without Web Crypto: on a page
 * loaded over plain HTTP from another machine.
 */
export async function hashIds(paymentIds: readonly string[]): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalIdList(paymentIds)))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

type ConfirmBulkProps = {
  view: BulkView
  /** The rows to confirm, as displayed. */
  rows: readonly BulkResultRow[]
  sums: BulkSum[]
  reason: string | null
  reasons: Readonly<Record<number, string>>
  /** Whether a second person approves it. */
  needsApproval: boolean
  onClose: () => void
}

/** The final confirmation of a bulk: count and sums. */
export function ConfirmBulk({ view, rows, sums, reason, reasons, needsApproval, onClose }: ConfirmBulkProps) {
  const start = useStart(view.id)
  const count = m.overview_paymentCount({ count: rows.length })
  const hasLive = sums.some(({ mode }) => mode !== 'test')

  async function run(): Promise<void> {
    const digest = (await hashIds(rows.flatMap(({ paymentId }) => paymentId ?? []))) ?? view.digest ?? ''
    const own = Object.entries(reasons).filter(([position]) => rows.some((row) => row.position === Number(position)))
    await start.mutateAsync({
      count: rows.length,
      digest,
      sums,
      reason,
      ...(own.length > 0 && { reasons: Object.fromEntries(own) }),
    })
    forgetText(`reasons ${view.id}`)
    forgetText(`reason ${view.id}`)
    onClose()
  }

  return (
    <ConfirmDialog
      title={needsApproval ? m.approval_requestTitle({ count }) : m.bulkCancellation_cancel({ count })}
      typed={null}
      confirmLabel={needsApproval ? m.approval_requestFor() : m.bulkCancellation_cancelLabel({ count })}
      cancelLabel={
        needsApproval
          ? m.approval_notYet()
          : rows.length === 1
            ? m.bulkCancellation_keepPayment()
            : m.bulkCancellation_keepPayments()
      }
      run={run}
      onClose={onClose}
    >
      <BulkSums sums={sums} />
      <p className="text-ink-soft">
        {hasLive ? `${m.bulkCancellation_livePaymentsAreAmongThem()} ` : ''}
        {needsApproval ? m.approval_afterRequest() : m.bulkCancellation_eachIsCompared()}
      </p>
    </ConfirmDialog>
  )
}

/** Tells screen readers what has become of a list, of which `count` payments can be cancelled now. */
export type Say = (text: string, count: number) => void

type PreflightProps = {
  view: BulkView
  rows: readonly BulkResultRow[]
  mayCancel: boolean
  /** Whether the reader made the list, and so may change and discard it. */
  isMine: boolean
  /** The merchant's four-eyes rule. */
  rule: OwnRule | null
  onSay: Say
}

const verdicts: readonly BulkVerdict[] = [
  'cancellable',
  'already-cancelled',
  'too-late',
  'not-cancellable',
  'in-hand',
  'unknown',
  'malformed',
  'unstorable',
  'duplicate',
  'ambiguous',
  'left-out',
]

/** The rows of a list by whether they can be cancelled. */
export function countVerdicts(rows: readonly BulkResultRow[]) {
  const counts = new Map<string, number>()
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return verdicts.map((value) => ({ value, label: verdictLabels[value](), count: counts.get(value) ?? 0 }))
}

type Typed = Readonly<Record<number, string>>

const isTyped = (kept: unknown): kept is Typed =>
  typeof kept === 'object' && kept !== null && Object.values(kept).every((value) => typeof value === 'string')

/** Reasons edited per row, over the submitted ones. `sendable` are the rows that have one, in order. */
function useReasons(bulkId: string, sendable: readonly BulkResultRow[]) {
  const [typed, setTyped] = useKept<Typed>(`reasons ${bulkId}`, {}, isTyped)
  const read = ({ position, reason }: BulkResultRow) => typed[position] ?? reason ?? ''
  const reasons: Reasons = {
    read,
    change: (position, reason) => setTyped({ ...typed, [position]: reason }),
    fill: (position, lines) => {
      const at = sendable.findIndex((row) => row.position === position)
      const filled = sendable.slice(at, at + lines.length).map((row, index) => [row.position, lines[index] ?? ''])
      setTyped({ ...typed, ...Object.fromEntries(filled) })
    },
  }
  const empty = sendable.filter((row) => read(row).trim() === '')
  const first = sendable.map(read).find((reason) => findReasonError(reason) === null)
  /** Gives the first reason that can be sent to all rows without one; null where there is nothing to give or nobody to give it to. */
  const fillDown =
    first === undefined || empty.length === 0
      ? null
      : () => setTyped({ ...typed, ...Object.fromEntries(empty.map(({ position }) => [position, first])) })
  return { typed, reasons, empty, fillDown }
}

type FillDownProps = { onFill: () => void; onFocusLost: () => void }

/** Gives the empty rows the first reason; it disappears then. */
function FillDown({ onFill, onFocusLost }: FillDownProps) {
  return (
    <Button ref={useFocusLost<HTMLButtonElement>(onFocusLost)} size="small" onClick={onFill}>
      {m.bulkCancellation_fillDown()}
    </Button>
  )
}

/** The list before anything is sent: what can be cancelled, what cannot and why, the reasons, and the confirmation. */
export function Preflight({ view, rows, mayCancel, isMine, rule, onSay }: PreflightProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const eachBox = useRef<HTMLInputElement>(null)
  const sendable = useMemo(() => rows.filter(({ verdict }) => verdict === 'cancellable'), [rows])
  const sums = useMemo(
    () => sumPayments(sendable.flatMap(({ seen, facts }) => (seen ? [{ ...seen, test: facts?.test ?? null }] : []))),
    [sendable],
  )
  const { amounts } = useAppConfig()
  const needsApproval = useMemo(
    () =>
      bulkNeedsApproval(
        sendable.map(({ seen }) => seen ?? { amount: null, currency: null }),
        rule,
        amounts,
      ),
    [sendable, rule, amounts],
  )
  const groups = useMemo(() => countVerdicts(rows), [rows])
  const [shown, setShown] = useShownGroup('verdict')
  const [isEach, setEach] = useState(() => sendable.some(({ reason }) => reason !== null))
  const [reason, setReason] = useKept(`reason ${view.id}`, '', isText)
  const [isAsked, setAsked] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { typed, reasons, empty, fillDown } = useReasons(view.id, sendable)
  const { mutate: changeRow, error: rowError } = useRowChange(view.id, ({ count }, { position, isLeftOut }) => {
    const say = isLeftOut ? m.bulkCancellation_rowLeftOut : m.bulkCancellation_rowTakenIn
    onSay(say({ position: position + 1, payments: m.overview_paymentCount({ count }) }), count)
  })

  const writable = isEach ? reasonColumns : foundColumns
  const columns = mayCancel ? writable : givenColumns
  const unfit = sendable.find((row) => findRowError(reasons.read(row)) !== null)
  const error = isAsked && !isEach ? findReasonError(reason) : null
  const count = m.overview_paymentCount({ count: sendable.length })
  const held = !mayCancel
    ? m.bulkCancellation_yourRoleDoesNotCancel()
    : sendable.length === 0
      ? m.bulkCancellation_noneOfThesePaymentsCan()
      : isEach && unfit
        ? m.bulkCancellation_rowReasonProblem({
            position: unfit.position + 1,
            problem: findRowError(reasons.read(unfit)) ?? '',
          })
        : isEach && empty.length > 0
          ? m.bulkCancellation_rowsWithoutReason({ count: empty.length })
          : null

  function ask(): void {
    setAsked(true)
    if (!isEach && findReasonError(reason)) return field.current?.focus()
    if (!held) setConfirming(true)
  }

  return (
    <ReasonsContext value={mayCancel ? reasons : 'as-given'}>
      <RowChangeContext value={mayCancel && isMine ? changeRow : null}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4 md:px-8">
          <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
            <p className="font-medium">{m.bulkCancellation_canBeCancelled({ count })}</p>
            <BulkSums sums={sums} />
          </div>
          {rowError ? <ProblemNotice problem={toProblemInfo(rowError)} /> : null}
          {view.problem ? (
            <p role="alert" className="rounded-lg bg-caution-soft px-4 py-2.5 text-caution">
              {describeProblem(view)} {m.bulkCancellation_paymentsThatWereNotFound()}
            </p>
          ) : null}
          {mayCancel && sendable.length > 0 && needsApproval ? (
            <p className="rounded-lg bg-caution-soft px-4 py-2.5 text-caution">{m.approval_needed()}</p>
          ) : null}
          {mayCancel && sendable.length > 0 ? (
            <div className="grid max-w-3xl gap-3">
              {isEach ? null : (
                <ReasonField
                  fieldRef={field}
                  reason={reason}
                  error={error}
                  lockedReason={null}
                  onChange={setReason}
                  onSubmit={ask}
                />
              )}
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <label htmlFor={id} className="inline-flex items-center gap-2.5">
                  <Checkbox
                    id={id}
                    ref={eachBox}
                    checked={isEach}
                    onChange={(event) => setEach(event.target.checked)}
                  />
                  {m.bulkCancellation_reasonForEachRow()}
                </label>
                {isEach && fillDown ? (
                  <FillDown
                    onFill={() => {
                      fillDown()
                      onSay(m.bulkCancellation_reasonsFilled({ count: empty.length }), sendable.length)
                    }}
                    onFocusLost={() => eachBox.current?.focus()}
                  />
                ) : null}
                {isEach ? <span className="text-ink-soft">{m.bulkCancellation_reasonsKeptHere()}</span> : null}
              </div>
            </div>
          ) : null}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <FilterChips groups={groups} chosen={shown} onChoose={setShown} />
            {mayCancel ? (
              <div className="flex flex-wrap items-center gap-3">
                {isMine ? <DiscardDraft bulkId={view.id} /> : null}
                {held ? <output className="text-ink-soft">{held}</output> : null}
                <Button tone="danger" reason={held} onClick={ask}>
                  {needsApproval ? m.approval_request({ count }) : m.bulkCancellation_cancelLabel({ count })}
                </Button>
              </div>
            ) : null}
          </div>
        </div>
        <BulkTable
          columns={columns}
          rows={rows}
          filter={shown === null ? null : { id: 'verdict', value: shown }}
          selection={null}
        />
        {isConfirming ? (
          <ConfirmBulk
            view={view}
            rows={sendable}
            sums={sums}
            reason={isEach ? null : reason}
            reasons={isEach ? typed : {}}
            needsApproval={needsApproval}
            onClose={() => setConfirming(false)}
          />
        ) : null}
      </RowChangeContext>
    </ReasonsContext>
  )
}
