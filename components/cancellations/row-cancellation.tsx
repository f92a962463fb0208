'use client'

import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useAskedPart } from '../feedback/use-asked-part'
import type { Payment } from '@/lib/api-contract/payments'
import type { CallError } from '@/lib/client/api-client'
import { cancellationWatch, useCancellation } from '@/lib/client/cancellations'
import { createEmitter } from '@/lib/client/emitter'
import { patchRows } from '@/lib/client/list-queries'
import { createReadAgain, mayPass } from '@/lib/client/read-again'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { outcomeLabels } from '@/lib/domain/cancellations/cancellation-outcome'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { findRow } from '../data-table/grid-actions'
import type { RowList } from '../infinite-list/use-list-query'
import { useAppConfig } from '../layout/app-config'
import { OutcomeBadge } from '../payments/badges'
import { explainNotCancellable, preloadCancelDialog } from './cancel-button'
import * as m from '@/lib/messages/m'

/*
 * The payment whose dialog is open. Rows can't host their own dialog, because virtual scrolling unmounts them: one
 * CancelDialogHost beside the list serves all rows.
 */

type OpenDialog = { payment: Payment; opener: HTMLElement | null }

let openDialog: OpenDialog | null = null
const dialogChanges = createEmitter()

function setOpenDialog(next: OpenDialog | null): void {
  openDialog = next
  dialogChanges.tell()
}

/** Opens the dialog for a row; closing it returns the focus to `opener`. */
export function openCancelDialog(payment: Payment, opener: HTMLElement | null): void {
  setOpenDialog({ payment, opener })
}

export function closeCancelDialog(): void {
  setOpenDialog(null)
}

const getOpenDialog = () => openDialog
const getServerSnapshot = () => null

export function usePaymentToCancel(): OpenDialog | null {
  return useSyncExternalStore(dialogChanges.listen, getOpenDialog, getServerSnapshot)
}

/** Whether the reader's role has `cancel`; provided around a list of payments. */
export const MayCancel = createContext(false)

type Describe = (view: CancellationView) => string | null

/** Once it is loaded, rows that are scrolled into view have it at once. */
let describeOutcome: Describe | null = null

async function loadReasons(): Promise<Describe> {
  describeOutcome = (await import('@/lib/domain/cancellations/outcome-reasons')).describeOutcome
  return describeOutcome
}

/** Few rows have one: the reasons, on hover, come with the first. The open payment tells them too. */
function RowOutcome({ view }: { view: CancellationView }) {
  const { part } = useLazyModule(describeOutcome === null, loadReasons)
  const describe = describeOutcome ?? part
  return <OutcomeBadge view={view} why={describe?.(view) ?? null} />
}

/** The outcome of a payment's cancellation, or the button that opens the dialog. */
export function CancellationCell({ payment }: { payment: Payment }) {
  const { cancelled, cancellable } = useAppConfig().states
  const mayCancel = use(MayCancel)
  const view = useCancellation(payment.id)
  if (view?.outcome === 'cancelled' && cancelled.includes(payment.status?.trim().toLowerCase() ?? ''))
    // The status badge says so already; the outcome stays for screen readers.
    return (
      <span data-outcome="cancelled" className="sr-only">
        {outcomeLabels.cancelled()}
      </span>
    )
  if (view) return <RowOutcome view={view} />
  if (!mayCancel || explainNotCancellable(payment, cancellable, null)) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className="dt-action"
      aria-label={m.payments_cancelNamed({ payment: payment.reference || payment.handle || payment.id || '' })}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => openCancelDialog(payment, currentTarget)}
      onPointerEnter={preloadCancelDialog}
      onFocus={preloadCancelDialog}
    >
      {m.payments_cancel()}
    </button>
  )
}

const loadDialog = async () => (await import('./cancel-dialog')).CancelDialog

/** Where to return the focus: to the button, or to its row if an outcome replaced the button. */
function findReturn(opener: HTMLElement | null, payment: Payment): HTMLElement | null {
  const isAnswered = payment.id !== null && cancellationWatch.get(payment.id) !== null
  // The element may have been reused for another row.
  const isOfRow = opener?.closest<HTMLElement>('[data-row-id]')?.dataset.rowId === (payment.id ?? '')
  if (opener?.isConnected && isOfRow && !isAnswered) return opener
  return (payment.id && findRow(payment.id)) || document.querySelector<HTMLElement>('[role="grid"]')
}

/** Hosts the cancel dialog for all rows of a list (see `openCancelDialog`). */
export function CancelDialogHost() {
  const client = useQueryClient()
  const dialog = usePaymentToCancel()
  const { part: Dialog } = useAskedPart(dialog !== null, loadDialog, closeCancelDialog)

  useEffect(() => closeCancelDialog, [])

  if (!dialog || !Dialog) return null
  return (
    <Dialog
      key={dialog.payment.id}
      payment={dialog.payment}
      onClose={closeCancelDialog}
      onPaymentRead={(payment) => patchRows(client, 'listPayments', [payment])}
      finalFocus={() => findReturn(dialog.opener, dialog.payment)}
    />
  )
}

/** Between two reads of what has closed, as while a bulk runs. */
const READ_INTERVAL_MS = 1_000

/**
 * Loads open cancellations, and re-reads a payment when its cancellation closes, so that its row shows the current
 * state.
 */
export function useListedCancellations(list: RowList<Payment>, proofs: CapabilityProofs): void {
  const client = useQueryClient()

  useEffect(() => cancellationWatch.showList(), [])

  useEffect(() => {
    // Started by others or in an earlier visit. If this fails, the rows simply show less.
    cancellationWatch.loadOpen().catch(() => undefined)
  }, [])

  const readRows = useEffectEvent(async (id: string, signal: AbortSignal): Promise<readonly Payment[]> => {
    if (proofs['eq:id'] !== true) return (await list.fetchPage(list.offsetOf(id), signal, true)).results
    const { findPayment } = await import('@/lib/client/find-payment')
    const result = await findPayment(id, { proofs, signal, quiet: true })
    return result.kind === 'found' ? [result.payment] : []
  })

  /** Reads the payments, each page once. Leaves in `ids` what may be read later, and throws why it was not read now. */
  const refreshPayments = useEffectEvent(async (ids: Set<string>, signal: AbortSignal): Promise<void> => {
    let failure: CallError | null = null
    for (const id of ids) {
      try {
        if (list.get(id) !== undefined) {
          const rows = await readRows(id, signal)
          patchRows(client, 'listPayments', rows)
          for (const row of rows) ids.delete(row.id ?? '')
        }
        ids.delete(id)
      } catch (error) {
        if (mayPass(error)) failure ??= error
        else ids.delete(id)
        // Asked to wait: so are the others.
        if (failure?.status === 429) break
      }
    }
    if (failure) throw failure
  })

  useEffect(() => {
    const request = new AbortController()
    const closed = new Set<string>()
    // The outcome is shown regardless; without this read only the row's state is outdated.
    const again = createReadAgain(async () => {
      const ids = new Set(closed)
      closed.clear()
      try {
        await refreshPayments(ids, request.signal)
      } finally {
        for (const id of ids) closed.add(id)
      }
    }, READ_INTERVAL_MS)
    const stop = cancellationWatch.onClosed(({ paymentId }) => {
      closed.add(paymentId)
      again.request()
    })
    return () => {
      stop()
      again.stop()
      request.abort()
    }
  }, [])
}
