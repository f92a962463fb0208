'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { callDesk } from '@/lib/client/api-client'
import type { PaymentEvents as EventsReply } from '@/lib/domain/webhooks'
import * as m from '@/lib/messages/m'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { DeliveryLine } from './delivery-line'

function EventsList({ paymentId }: { paymentId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['payment-events', paymentId],
    queryFn: ({ signal }) =>
      callDesk<EventsReply>(`/inbox/events?payment=${encodeURIComponent(paymentId)}`, { signal, quiet: true }),
  })
  if (error) return <ProblemNotice problem={toProblemInfo(error)} onRetry={() => void refetch()} />
  if (!data) return <p className="text-ink-soft">{m.paymentEvents_loading()}</p>
  if (data.events.length === 0) return <p className="text-ink-soft">{m.paymentEvents_none()}</p>
  return (
    <ol className="grid">
      {data.events.map(({ sequence, receivedAt, eventType, verdict, times }) => (
        <li
          key={sequence}
          data-verdict={verdict}
          className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-1.5 last:border-b-0"
        >
          <DeliveryLine name={eventType} times={times} verdict={verdict} receivedAt={receivedAt} />
        </li>
      ))}
    </ol>
  )
}

/** The webhook events that the inbox received about a payment, folded away and loaded when opened. */
export function PaymentEvents({ paymentId }: { paymentId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group border-t border-line py-2"
      data-payment-events=""
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-9 cursor-pointer items-center gap-1.5 text-[0.8125rem] font-semibold max-md:min-h-11">
        <ChevronRight aria-hidden className="size-4 text-ink-soft group-open:rotate-90" />
        {m.paymentEvents_title()}
      </summary>
      {isOpen ? <EventsList paymentId={paymentId} /> : null}
    </details>
  )
}
