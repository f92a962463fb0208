'use client'

import type { Payment } from '@/lib/api-contract/payments'
import type { CancellationView, Difference } from '@/lib/domain/cancellations/cancellation'
import { isUrgent } from '@/lib/domain/cancellations/cancellation-outcome'
import { formatMoneyLine } from '@/lib/domain/amounts/money'
import { describeState } from '@/lib/domain/states'
import { ProblemNotice } from '../feedback/problem-notice'
import { useAppConfig } from '../layout/app-config'
import { Timestamp } from '../records/dates'
import { Checkbox } from '../ui/input'
import { UntrustedText } from '../ui/untrusted-text'
import { CancellationNote } from './cancellation-note'
import { type CancelOutcome as Answer, explainEnd } from './read-cancel-reply'
import * as m from '@/lib/messages/m'

const changedFields = {
  amount: m.cancelling_changedFieldsAmount,
  currency: m.cancelling_changedFieldsCurrency,
  status: m.cancelling_changedFieldsStatus,
  modifiedAt: m.cancelling_changedFieldsModifiedAt,
}

type Values = { seen: string | number | null; now: string | number | null }

/** Compares what the user saw with the API's current values, field by field. */
export function ChangedNotice({ difference, payment }: { difference: Difference; payment: Payment }) {
  const { amounts, locale } = useAppConfig()
  const fields = (['status', 'amount', 'currency', 'modifiedAt'] as const).flatMap((name) => {
    const values = difference[name]
    return values ? [{ name, values }] : []
  })

  function show(name: keyof typeof changedFields, value: Values['seen'], side: keyof Values) {
    if (value === null) return '—'
    if (name === 'modifiedAt') return <Timestamp value={String(value)} />
    if (name === 'status') return <UntrustedText>{describeState(String(value))}</UntrustedText>
    if (name !== 'amount') return <UntrustedText>{String(value)}</UntrustedText>
    const currency = difference.currency ? difference.currency[side] : payment.currency
    return formatMoneyLine(value, currency === null ? null : String(currency), amounts, locale)
  }

  return (
    <div role="alert" className="rounded-lg border border-caution/25 bg-caution-soft/60 p-4">
      <p className="font-semibold">{m.cancelling_changed()}</p>
      {/* Two timestamps don't fit in one line on a phone. */}
      <table className="mt-2 w-full text-left [&_time]:whitespace-normal">
        <thead>
          <tr className="text-[0.8125rem] text-ink-soft">
            <th scope="col" className="py-1 pr-3 font-normal">
              <span className="sr-only">{m.cancelling_changedField()}</span>
            </th>
            <th scope="col" className="py-1 pr-3 font-normal">
              {m.cancelling_youSaw()}
            </th>
            <th scope="col" className="py-1 font-normal">
              {m.cancelling_isNow()}
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 pr-3 font-normal text-ink-soft">
                {changedFields[name]()}
              </th>
              <td className="py-0.5 pr-3 wrap-anywhere">{show(name, values.seen, 'seen')}</td>
              <td className="py-0.5 font-semibold wrap-anywhere">{show(name, values.now, 'now')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type CancelReplyProps = {
  answer: Answer
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
}

/** A cancellation that changes while the dialog is open. */
function LiveNote({ view }: { view: CancellationView }) {
  // OutcomeAnnouncer announces all others.
  return (
    <div role={isUrgent(view.outcome) ? 'alert' : undefined}>
      <CancellationNote view={view} />
    </div>
  )
}

/** The server's reply, within the dialog. */
export function CancelReply({ answer, confirmed, onConfirm }: CancelReplyProps) {
  const end = explainEnd(answer)
  switch (answer.kind) {
    case 'refused':
      return (
        <ProblemNotice problem={answer.problem}>
          {answer.problem.code === 'store-unavailable' && !answer.problem.detail ? (
            <p className="mt-1 text-ink-soft">{m.cancelling_nothingSent()}</p>
          ) : null}
        </ProblemNotice>
      )
    case 'lost':
      return (
        <ProblemNotice problem={answer.problem}>
          <p className="mt-1 text-ink-soft">{m.cancelling_lost()}</p>
        </ProblemNotice>
      )
    case 'changed':
      return (
        <div className="grid gap-3">
          <ChangedNotice difference={answer.difference} payment={answer.payment} />
          <p className="text-ink-soft">{end ? m.cancelling_nothingSent() : m.cancelling_lookAgain()}</p>
        </div>
      )
    case 'unread':
      return (
        <div role="alert" className="rounded-lg border border-caution/25 bg-caution-soft/60 p-4">
          <p className="font-semibold">{m.cancelling_notReadAgain()}</p>
          <p className="mt-1">{m.cancelling_mayHaveChanged()}</p>
          {answer.problem.detail ? <p className="mt-1">{answer.problem.detail}</p> : null}
          <div className="mt-3 flex items-start gap-2.5 font-medium">
            <Checkbox
              id="cancel-unread"
              className="mt-0.5"
              checked={confirmed}
              onChange={(event) => onConfirm(event.target.checked)}
            />
            <label htmlFor="cancel-unread">{m.cancelling_allTheSame()}</label>
          </div>
        </div>
      )
    default:
      return <LiveNote view={answer.view} />
  }
}
