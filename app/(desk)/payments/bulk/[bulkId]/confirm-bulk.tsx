'use client'

import { ConfirmDialog } from '@/components/confirm-dialog'
import { BulkSums } from '@/components/payments/bulk-sums'
import { useCount } from '@/components/use-count'
import type { BulkResultRow, BulkSum, BulkView } from '@/lib/contract/bulk'
import { listIds } from '@/lib/format/list-ids'
import * as words from '@/lib/words/bulk-cancellation'
import { useStart } from './use-bulk'

/**
 * SHA-256 of the ids that are shown, in hex, so that the desk can compare it with what it keeps. Null where the
 * browser hashes nothing: on a page that came over plain HTTP from another machine.
 */
async function hashIds(paymentIds: readonly string[]): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(listIds(paymentIds)))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

type ConfirmBulkProps = {
  view: BulkView
  /** The rows that are confirmed, as they are shown. */
  rows: readonly BulkResultRow[]
  sums: BulkSum[]
  reason: string | null
  reasons: Readonly<Record<number, string>>
  onClose: () => void
}

/** The last word before a bulk is sent: how many payments, and what they come to. */
export function ConfirmBulk({ view, rows, sums, reason, reasons, onClose }: ConfirmBulkProps) {
  const start = useStart(view.id)
  const formatCount = useCount()
  const count = `${formatCount(rows.length)} ${rows.length === 1 ? 'payment' : 'payments'}`
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
    onClose()
  }

  return (
    <ConfirmDialog
      title={words.cancel(count)}
      typed={null}
      action={words.cancelLabel(count)}
      keep={rows.length === 1 ? words.keepPayment : words.keepPayments}
      run={run}
      onClose={onClose}
    >
      <BulkSums sums={sums} />
      <p className="text-ink-soft">
        {hasLive ? words.livePaymentsAreAmongThem : ''}
        {words.eachIsCompared}
      </p>
    </ConfirmDialog>
  )
}
