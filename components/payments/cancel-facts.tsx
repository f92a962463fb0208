'use client'

import type { Payment } from '@/lib/contract/payments'
import { Amount } from '../amount'
import { BusinessDate } from '../business-date'
import { Said } from '../said'
import { CutOffNote } from './cut-off-note'
import { StatusBadge } from './status-badge'
import { TestBadge } from './test-badge'
import * as words from '@/lib/words/cancelling'

/** What is about to be cancelled, in the data's own words: payer, amount, date, live or test. */
export function CancelFacts({ payment }: { payment: Payment }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-4 py-3">
      <div className="flex items-baseline justify-between gap-4">
        <p className="line-clamp-4 min-w-0 text-base font-semibold wrap-anywhere">
          {payment.customer?.name ? <Said>{payment.customer.name}</Said> : words.payerNotNamed}
        </p>
        <Amount
          amount={payment.amount}
          currency={payment.currency}
          className="max-w-[65%] shrink-0 text-right text-base font-semibold wrap-anywhere"
        />
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ink-soft">
        <span>
          {words.toBeCollectedOn} <BusinessDate value={payment.paymentDate} />
        </span>
        <StatusBadge status={payment.status} />
        {payment.test === false ? (
          <span className="font-medium text-ink">{words.live}</span>
        ) : (
          <TestBadge test={payment.test} />
        )}
      </div>
      <CutOffNote payment={payment} className="mt-1.5 text-[0.8125rem] text-ink-soft" />
      {payment.description ? (
        <p className="mt-1.5 line-clamp-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
          <Said>{payment.description}</Said>
        </p>
      ) : null}
    </div>
  )
}
