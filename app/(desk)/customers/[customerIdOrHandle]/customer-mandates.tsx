'use client'

import { StatusBadge } from '@/components/payments/status-badge'
import { Said } from '@/components/said'
import type { Customer } from '@/lib/contract/customers'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/customer'
import { Link } from '@/components/link'

/** The mandates of a customer with their states, each leading to its page. */
export function CustomerMandates({ mandates }: Pick<Customer, 'mandates'>) {
  return (
    <section className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{words.mandates}</h2>
      {mandates === null ? <p className="text-ink-soft">{words.serviceDidNotSay}</p> : null}
      {mandates?.length === 0 ? <p className="text-ink-soft">{words.noneNoPaymentCan}</p> : null}
      <ul className="grid gap-2">
        {mandates?.map(({ handle, scheme, state }, index) => {
          const page = writePageAddress('/mandates', handle)
          return (
            // A summary carries no id, and handles may be missing.
            <li key={`${index} ${handle}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={state} />
              {page && handle ? (
                <Link
                  href={page}
                  className="min-w-0 wrap-anywhere text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current"
                >
                  <Said>{handle}</Said>
                </Link>
              ) : (
                <span>{words.withoutAHandle}</span>
              )}
              <span className="text-ink-soft">{scheme ? <Said>{scheme}</Said> : words.schemeNotSaid}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
