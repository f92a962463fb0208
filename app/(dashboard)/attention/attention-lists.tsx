'use client'

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useId, useRef } from 'react'
import { UnsettledCancellation } from '@/components/cancellations/unsettled-cancellation'
import { Link } from '@/components/layout/link'
import { BulkBadge } from '@/components/payments/bulk-badge'
import { BulkSums } from '@/components/payments/bulk-sums'
import { Timestamp } from '@/components/records/dates'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk } from '@/lib/client/api-client'
import { focusContent, useFocusLost } from '@/lib/client/page-lifecycle'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { Attention } from '@/lib/domain/attention'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { describeSource } from '@/lib/domain/cancellations/bulk-messages'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import * as m from '@/lib/messages/m'

const card = 'rounded-lg border border-line bg-surface p-5 max-md:p-4'
const linkClasses = 'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2'

/** The heading of a list, which takes the focus of a row that disappears; once it is gone, too, the page's content does. */
type Heading = RefObject<HTMLHeadingElement | null>

const focusHeading = ({ current }: Heading) => (current ? current.focus({ preventScroll: true }) : focusContent())

type RequestRowProps = { view: BulkView; name: string; text: string; by: string | null; heading: Heading }

/** A request for approval: of somebody else with who made it, of the reader with its state. */
function RequestRow({ view, name, text, by, heading }: RequestRowProps) {
  const id = useId()
  return (
    <li
      ref={useFocusLost<HTMLLIElement>(() => focusHeading(heading))}
      className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 last:border-b-0"
    >
      <Link
        href={`/payments/bulk/${view.id}`}
        id={`${id}-name`}
        // Several lists may have as many payments.
        aria-labelledby={`${id}-name ${id}-text ${id}-time`}
        className={`${linkClasses} max-md:inline-flex max-md:min-h-11 max-md:items-center`}
      >
        {name}
      </Link>
      {by === null ? <BulkBadge view={view} /> : null}
      <span id={`${id}-text`} className="min-w-0 flex-1 basis-60 truncate">
        <UntrustedText>{text}</UntrustedText>
      </span>
      <BulkSums sums={view.sums} />
      <span id={`${id}-time`} className="text-[0.8125rem] text-ink-soft">
        {by === null ? null : `${by}, `}
        <Timestamp value={view.approval?.requestedAt ?? view.createdAt} />
      </span>
    </li>
  )
}

/** Bulk cancellations that wait for the reader's approval. */
function Approvals({ awaiting }: { awaiting: readonly BulkView[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="approvals" className={card}>
      <h2 id="approvals" ref={heading} tabIndex={-1} className="font-semibold">
        {m.approval_toApprove()}
      </h2>
      {awaiting.length === 0 ? (
        <p className="mt-1 text-ink-soft">{m.approval_nothingToApprove()}</p>
      ) : (
        <ul className="mt-2 grid">
          {awaiting.map((view) => (
            <RequestRow
              key={view.id}
              view={view}
              name={m.approval_review({ count: m.overview_paymentCount({ count: view.count }) })}
              text={describeSource(view.source)}
              by={view.requestedBy}
              heading={heading}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Lists of the reader: requests for approval that wait or were not approved lately, or what is not confirmed yet. */
function OwnLists({ id, title, lists }: { id: string; title: string; lists: readonly BulkView[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby={id} className={card}>
      <h2 id={id} ref={heading} tabIndex={-1} className="font-semibold">
        {title}
      </h2>
      <ul className="mt-2 grid">
        {lists.map((view) => (
          <RequestRow
            key={view.id}
            view={view}
            name={view.count > 0 ? m.overview_paymentCount({ count: view.count }) : m.approval_openList()}
            text={view.approval?.note ?? describeSource(view.source)}
            by={null}
            heading={heading}
          />
        ))}
      </ul>
    </section>
  )
}

/** Cancellations whose outcome nobody knows yet. */
function UnknownOutcomes({ unknown }: { unknown: readonly CancellationView[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="unknown-outcomes" className={card}>
      <h2 id="unknown-outcomes" ref={heading} tabIndex={-1} className="font-semibold">
        {m.attention_unknownOutcomes()}
      </h2>
      {unknown.length === 0 ? (
        <p className="mt-1 text-ink-soft">{m.attention_noUnknownOutcomes()}</p>
      ) : (
        <ul className="mt-2 grid">
          {unknown.map((view) => (
            <UnsettledCancellation
              key={view.id}
              view={view}
              className="border-b last:border-b-0"
              onFocusLost={() => focusHeading(heading)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

const queryKey = ['attention']

/** Requests for approval, unconfirmed lists and unknown outcomes, as they are now. */
export function AttentionLists({ initial }: { initial: Attention }) {
  const choosePolling = useLiveQuery(queryKey, ['bulk', 'cancellation'], { countsLoad: false, intervalMs: 5_000 })
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<Attention>('/attention', { signal, quiet: true }),
    initialData: initial,
    refetchInterval: () => choosePolling(15_000),
    // The page may be one from before, and a visit later has its own.
    staleTime: 0,
    gcTime: 0,
  })
  const { awaiting, unconfirmed, requests, unknown } = data
  return (
    <>
      {awaiting ? <Approvals awaiting={awaiting} /> : null}
      {unconfirmed.length > 0 ? (
        <OwnLists id="unconfirmed" title={m.approval_ownUnconfirmed()} lists={unconfirmed} />
      ) : null}
      {requests.length > 0 ? <OwnLists id="own-requests" title={m.approval_ownRequests()} lists={requests} /> : null}
      <UnknownOutcomes unknown={unknown} />
    </>
  )
}
