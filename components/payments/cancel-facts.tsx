'use client'

import type { Payment } from '@/lib/contract/payments'
import { Amount } from '../amount'
import { BusinessDate } from '../business-date'
import { StatusBadge } from './status-badge'
import { TestBadge } from './test-badge'

/** What is about to be cancelled, in the data's own words: payer, amount, date, live or test. */
export function CancelFacts({ payment }: { payment: Payment }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-4 py-3">
      <div className="flex items-baseline justify-between gap-4">
        <p className="min-w-0 text-base font-semibold wrap-anywhere">{payment.customer?.name || 'Payer not named'}</p>
        <Amount amount={payment.amount} currency={payment.currency} className="shrink-0 text-base font-semibold" />
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ink-soft">
        <span>
          Collected on <BusinessDate value={payment.paymentDate} />
        </span>
        <StatusBadge status={payment.status} />
        {payment.test === false ? (
          <span className="font-medium text-ink">Live</span>
        ) : (
          <TestBadge test={payment.test} />
        )}
      </div>
      {payment.description ? (
        <p className="mt-1.5 line-clamp-2 text-[0.8125rem] wrap-anywhere text-ink-soft">{payment.description}</p>
      ) : null}
    </div>
  )
}
