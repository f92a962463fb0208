'use client'

import type { Difference } from '@/lib/contract/cancellation'
import type { Payment } from '@/lib/contract/payments'
import { formatMoneyLine } from '@/lib/format/money'
import { useDeskFacts } from '../desk-facts'
import { Said } from '../said'
import { Timestamp } from '../timestamp'
import * as words from '@/lib/words/cancelling'

type Values = { seen: string | number | null; now: string | number | null }

/** What the service says now (`payment`) beside what the user saw, field by field. */
export function ChangedNotice({ difference, payment }: { difference: Difference; payment: Payment }) {
  const { amounts, locale } = useDeskFacts()
  const fields = (['status', 'amount', 'currency', 'modifiedAt'] as const).flatMap((name) => {
    const values = difference[name]
    return values ? [{ name, values }] : []
  })

  function show(name: keyof typeof words.changedFields, value: Values['seen'], side: keyof Values) {
    if (value === null) return '—'
    if (name === 'modifiedAt') return <Timestamp value={String(value)} />
    if (name !== 'amount') return <Said>{String(value)}</Said>
    const currency = difference.currency ? difference.currency[side] : payment.currency
    return formatMoneyLine(value, currency === null ? null : String(currency), amounts, locale)
  }

  return (
    <div role="alert" className="rounded-lg border border-caution/25 bg-caution-soft/60 p-4">
      <p className="font-semibold">{words.changed}</p>
      {/* On a phone two moments do not fit beside each other in one line. */}
      <table className="mt-2 w-full text-left [&_time]:whitespace-normal">
        <thead>
          <tr className="text-[0.8125rem] text-ink-soft">
            <th scope="col" className="py-1 pr-3 font-normal">
              <span className="sr-only">{words.changedField}</span>
            </th>
            <th scope="col" className="py-1 pr-3 font-normal">
              {words.youSaw}
            </th>
            <th scope="col" className="py-1 font-normal">
              {words.isNow}
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 pr-3 font-normal text-ink-soft">
                {words.changedFields[name]}
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
