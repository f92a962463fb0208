'use client'

import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod'
import { Link } from '@/components/layout/link'
import { callDesk } from '@/lib/client/api-client'
import type { customerInput } from '@/lib/api-contract/customers'
import type { ExistingNumbers } from '@/lib/domain/customers/customer-import'
import * as m from '@/lib/messages/m'

/** Says whether a customer has the number that was sent, and leads to the list, searched for what was sent. */
export function LookForCustomer({ sent }: { sent: z.output<typeof customerInput> }) {
  const number = sent.number?.trim() ?? ''
  const words = number || sent.name
  const { data } = useQuery({
    queryKey: ['existing-numbers', number],
    queryFn: ({ signal }) =>
      callDesk<ExistingNumbers>('/imports/existing', {
        method: 'POST',
        body: { numbers: [number] },
        signal,
        quiet: true,
      }),
    enabled: number !== '',
    gcTime: 0,
    retry: false,
  })
  const isTaken = data ? data.numbers.length > 0 : null
  return (
    <>
      {isTaken ? <p className="font-medium">{m.customerForms_numberIsTaken({ number })}</p> : null}
      {isTaken === false && data?.isWhole ? <p>{m.customerForms_numberIsFree({ number })}</p> : null}
      <p>
        <Link
          href={`/customers?${new URLSearchParams({ search: words }).toString()}`}
          target="_blank"
          className="text-accent-ink underline"
        >
          {m.customerForms_lookFor({ words })}
        </Link>
      </p>
    </>
  )
}
