'use client'

import { useId, useRef, useState } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { Timestamp } from '@/components/records/dates'
import { BulkSums } from '@/components/payments/bulk-sums'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { RichMessage } from '@/components/ui/rich-message'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { hasVisibleText } from '@/lib/api-contract/visible-text'
import type { BulkApproval, BulkResultRow, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { givenColumns } from './bulk-columns'
import { BulkTable, FilterChips } from './bulk-table'
import { useShownGroup } from './use-shown-group'
import { countVerdicts, hashIds } from './preflight'
import { useDecision } from './use-bulk'
import * as m from '@/lib/messages/m'

type AskProps = { view: BulkView; rows: readonly BulkResultRow[]; onClose: () => void }

/** Confirms the approval of the list as displayed. */
export function Approve({ view, rows, onClose }: AskProps) {
  const decision = useDecision(view.id)
  const count = m.overview_paymentCount({ count: rows.length })
  return (
    <ConfirmDialog
      title={m.approval_approveTitle({ count })}
      typed={null}
      confirmLabel={m.approval_approve({ count })}
      cancelLabel={m.approval_notYet()}
      run={async () => {
        const digest = (await hashIds(rows.flatMap(({ paymentId }) => paymentId ?? []))) ?? view.digest ?? ''
        await decision.mutateAsync({ decision: 'approve', count: rows.length, digest })
        onClose()
      }}
      onClose={onClose}
    >
      <BulkSums sums={view.sums} />
      <p className="text-ink-soft">{m.approval_approveConsequence({ person: view.requestedBy })}</p>
    </ConfirmDialog>
  )
}

/** Asks why a request is declined. */
export function Decline({ view, onClose }: Omit<AskProps, 'rows'>) {
  const id = useId()
  const decision = useDecision(view.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const error = isMissing && !hasVisibleText(note) ? m.approval_noteMissing() : null
  return (
    <ConfirmDialog
      title={m.approval_declineTitle()}
      typed={null}
      validate={() => {
        setMissing(true)
        if (!hasVisibleText(note)) field.current?.focus()
        return hasVisibleText(note)
      }}
      confirmLabel={m.approval_decline()}
      cancelLabel={m.approval_keepRequest()}
      run={async () => {
        await decision.mutateAsync({ decision: 'decline', note })
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-ink-soft">{m.approval_declineConsequence({ person: view.requestedBy })}</p>
      <Field id={id} label={m.approval_declineNote()} error={error} required>
        <Textarea
          id={id}
          ref={field}
          value={note}
          rows={2}
          aria-invalid={error ? true : undefined}
          aria-describedby={describeField(id, { error })}
          maxLength={MAX_REASON_LENGTH}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  )
}

/** Confirms taking back one's own request. */
export function Withdraw({ view, onClose }: Omit<AskProps, 'rows'>) {
  const decision = useDecision(view.id)
  return (
    <ConfirmDialog
      title={m.approval_withdrawTitle()}
      typed={null}
      confirmLabel={m.approval_withdraw()}
      cancelLabel={m.approval_keepRequest()}
      run={async () => {
        await decision.mutateAsync({ decision: 'withdraw' })
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-ink-soft">{m.approval_withdrawConsequence()}</p>
    </ConfirmDialog>
  )
}

/** What became of a request that was not approved. */
function Ended({ view, approval }: { view: BulkView; approval: BulkApproval }) {
  const person = <UntrustedText>{approval.decidedBy ?? ''}</UntrustedText>
  const time = <Timestamp value={approval.decidedAt} />
  return (
    <div className="max-w-3xl rounded-lg bg-negative-soft p-4 text-negative wrap-anywhere">
      <p className="font-medium">
        {view.problem === 'expired' ? (
          <RichMessage message={m.approval_expiredAt} parts={{ time: <Timestamp value={approval.expiresAt} /> }} />
        ) : view.problem === 'withdrawn' ? (
          <RichMessage message={m.approval_withdrawnBy} parts={{ person, time }} />
        ) : (
          <RichMessage
            message={m.approval_declinedBy}
            parts={{ person, time, note: <UntrustedText>{approval.note ?? ''}</UntrustedText> }}
          />
        )}
      </p>
      <p className="mt-1">{m.approval_nothingWasSent()}</p>
    </div>
  )
}

type Asking = 'approve' | 'decline' | 'withdraw' | null

type ApprovalProps = {
  view: BulkView
  rows: readonly BulkResultRow[]
  mayCancel: boolean
  /** Whether the reader requested it. */
  isMine: boolean
}

/** A confirmed list that a second person approves or declines, with each payment's reason. */
export function Approval({ view, rows, mayCancel, isMine }: ApprovalProps) {
  const [asking, setAsking] = useState<Asking>(null)
  const [shown, setShown] = useShownGroup('verdict', 'cancellable')
  const part = rows.filter(({ verdict }) => verdict === 'cancellable')
  const count = m.overview_paymentCount({ count: part.length })
  const close = () => setAsking(null)
  const { approval } = view
  const isOpen = view.state === 'awaiting'
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4 md:px-8">
        <BulkSums sums={view.sums} />
        {approval ? (
          isOpen ? (
            <p className="text-ink-soft wrap-anywhere">
              <RichMessage
                message={m.approval_requestedBy}
                parts={{
                  person: <UntrustedText>{view.requestedBy}</UntrustedText>,
                  time: <Timestamp value={approval.requestedAt} />,
                  end: <Timestamp value={approval.expiresAt} />,
                }}
              />
            </p>
          ) : (
            <Ended view={view} approval={approval} />
          )
        ) : null}
        {isOpen ? (
          <div className="flex flex-wrap items-center gap-3">
            {!mayCancel ? (
              <p>{m.approval_roleCannot()}</p>
            ) : isMine ? (
              <>
                <p className="min-w-0 flex-1 basis-80">{m.approval_waitingForOther()}</p>
                <Button tone="quiet-danger" onClick={() => setAsking('withdraw')}>
                  {m.approval_withdraw()}
                </Button>
              </>
            ) : (
              <>
                <Button tone="danger" onClick={() => setAsking('approve')}>
                  {m.approval_approve({ count })}
                </Button>
                <Button onClick={() => setAsking('decline')}>{m.approval_decline()}</Button>
              </>
            )}
          </div>
        ) : null}
        {part.length < rows.length ? (
          <div className="flex flex-wrap items-center gap-3">
            <FilterChips groups={countVerdicts(rows)} chosen={shown} onChoose={setShown} />
            <p className="text-ink-soft">{m.approval_notPart({ count: rows.length - part.length })}</p>
          </div>
        ) : null}
      </div>
      <BulkTable
        columns={givenColumns}
        rows={rows}
        filter={shown === null ? null : { id: 'verdict', value: shown }}
        selection={null}
      />
      {isOpen && asking === 'approve' ? <Approve view={view} rows={part} onClose={close} /> : null}
      {isOpen && asking === 'decline' ? <Decline view={view} onClose={close} /> : null}
      {isOpen && asking === 'withdraw' ? <Withdraw view={view} onClose={close} /> : null}
    </>
  )
}
