'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callDesk, createUuid } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { ActivityView } from '@/lib/domain/activity/activity'
import { describePaymentEvent } from '@/lib/domain/describe-event'
import { mergeStory, type Milestone } from '@/lib/domain/payment-story'
import type { PaymentEvent, PaymentEvents } from '@/lib/domain/webhooks'
import * as m from '@/lib/messages/m'
import { ActivityEntry, useActivity, useNewEntries } from '../activity/activity-log'
import { LoadMore } from '../infinite-list/load-more'
import '../activity/activity.css'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { useAppConfig } from '../layout/app-config'
import { DeliveryLine } from '../webhooks/delivery-line'
import { MilestoneStep } from './milestone-step'

type Happening = { at: string } & ({ entry: ActivityView } | { event: PaymentEvent })

/** Between two reads: whichever payment a delivery is about. */
const EVENTS_INTERVAL_MS = 5_000

/** A payment's steps with what the desk did, notes and received webhook events in between, oldest first. */
export function FullStory({ paymentId, milestones }: { paymentId: string; milestones: readonly Milestone[] }) {
  const { schemeZone } = useAppConfig()
  // Read again whenever it is opened, so the cache key is never reused.
  const [loadId] = useState(createUuid)
  const query = new URLSearchParams({ kind: 'payment', object: paymentId }).toString()
  const activity = useActivity(query, loadId, { gcTime: 1_000 })
  useNewEntries(activity, [paymentId])
  const eventsKey = ['payment-events', paymentId, loadId]
  useLiveQuery(eventsKey, ['inbox'], { countsLoad: false, intervalMs: EVENTS_INTERVAL_MS })
  const events = useQuery({
    queryKey: eventsKey,
    queryFn: ({ signal }) =>
      callDesk<PaymentEvents>(`/inbox/events?payment=${encodeURIComponent(paymentId)}`, { signal, quiet: true }),
    gcTime: 1_000,
  })
  const entries = Array.from({ length: activity.size }, (_, index) => activity.rowAt(index))
  const happenings: Happening[] = [
    ...entries.flatMap((entry) => (entry ? { at: entry.at, entry } : [])),
    ...(events.data?.events ?? []).map((event) => ({ at: event.receivedAt, event })),
  ]
  const story = mergeStory(milestones, happenings, schemeZone)
  const timeline = useRef<HTMLOListElement>(null)
  const { pagination } = activity
  return (
    <>
      <ol ref={timeline} tabIndex={-1}>
        {story.map((part, index) =>
          'step' in part ? (
            <MilestoneStep key={`${part.step} ${index}`} milestone={part} />
          ) : 'entry' in part ? (
            <ActivityEntry key={part.entry.id} entry={part.entry} isEmbedded />
          ) : (
            <li
              key={`event ${part.event.sequence}`}
              data-verdict={part.event.verdict}
              className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5"
            >
              <DeliveryLine
                {...part.event}
                name={m.paymentStory_event({ name: describePaymentEvent(part.event.eventType) })}
              />
            </li>
          ),
        )}
      </ol>
      {pagination.kind === 'loading' || events.isPending ? (
        <output className="mt-2 block text-ink-soft">{m.activity_loading()}</output>
      ) : happenings.length === 0 && pagination.kind === 'complete' && !events.error ? (
        <p className="mt-2 text-ink-soft">{m.paymentStory_nothingElse()}</p>
      ) : null}
      {pagination.kind === 'failed' ? (
        <ProblemNotice problem={toProblemInfo(pagination.error)} onRetry={() => activity.loadMore()} />
      ) : null}
      {events.error ? (
        <ProblemNotice problem={toProblemInfo(events.error)} onRetry={() => void events.refetch()} />
      ) : null}
      {events.data?.isWhole === false ? (
        <p className="mt-2 text-ink-soft">{m.paymentStory_newestEvents({ count: events.data.events.length })}</p>
      ) : null}
      <LoadMore list={activity} className="mt-3 mr-2" heir={timeline} />
    </>
  )
}
