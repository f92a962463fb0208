'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { callDesk } from '@/lib/client/api-client'
import type { PaymentEvents as EventsReply } from '@/lib/domain/webhooks'
import * as m from '@/lib/messages/m'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { Timestamp } from '../records/dates'
import { UntrustedText } from '../ui/untrusted-text'
import { VerdictBadge } from './verdict-badge'

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
          <span className="min-w-0 flex-1 basis-32 font-medium wrap-anywhere">
            <UntrustedText>{eventType ?? m.webhooks_notAnEvent()}</UntrustedText>
            {times > 1 ? <span className="ml-2 font-normal text-ink-soft">{m.webhooks_times({ times })}</span> : null}
          </span>
          <VerdictBadge verdict={verdict} />
          <span className="text-[0.8125rem] text-ink-soft">
            <Timestamp value={receivedAt} />
          </span>
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
