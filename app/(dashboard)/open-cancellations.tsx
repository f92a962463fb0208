'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from '@/components/layout/link'
import { OutcomeBadge } from '@/components/payments/badges'
import { Timestamp } from '@/components/records/dates'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk } from '@/lib/client/api-client'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { CancellationList, CancellationView } from '@/lib/domain/cancellations/cancellation'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'

/** Cancellations listed; the others are counted. */
const MAX_LISTED = 8

function OpenCancellation({ view, onFocusLost }: { view: CancellationView; onFocusLost: () => void }) {
  const page = buildPagePath('/payments', view.paymentId)
  return (
    <li
      ref={useFocusLost<HTMLLIElement>(onFocusLost)}
      className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2 max-md:px-4"
    >
      <OutcomeBadge view={view} />
      <span className="min-w-0 flex-1 basis-60 truncate" title={view.text}>
        <UntrustedText>{view.text}</UntrustedText>
      </span>
      <span className="text-[0.8125rem] text-ink-soft">
        {view.requestedBy}, <Timestamp value={view.requestedAt} />
      </span>
      {page ? (
        <Link
          href={page}
          className="inline-flex min-h-6 items-center font-medium text-accent-ink hover:underline max-md:min-h-11"
        >
          {m.overview_openPayment()}
        </Link>
      ) : null}
    </li>
  )
}

const queryKey = ['open-cancellations']

/** Open cancellations as they are now, those that need manual review first. */
export function OpenCancellationsCard({ initial }: { initial: CancellationView[] }) {
  const choosePolling = useLiveQuery(queryKey, ['cancellation'], { countsLoad: false, intervalMs: 5_000 })
  const { data: open } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await callDesk<CancellationList>('/cancellations?open=1', { signal, quiet: true })).cancellations,
    initialData: initial,
    refetchInterval: () => choosePolling(15_000),
    // The page may be one from before, and a visit later has its own.
    staleTime: 0,
    gcTime: 0,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const further = open.length - MAX_LISTED
  return (
    <section aria-labelledby="open-cancellations" className="rounded-lg border border-line bg-surface">
      <div className="p-5 max-md:px-4">
        <h2 id="open-cancellations" ref={heading} tabIndex={-1} className="font-semibold">
          {m.overview_cancellationsNotSettledYet()}
        </h2>
        <p className="mt-0.5 text-ink-soft">
          {open.length === 0
            ? m.overview_noneEveryCancellationIsSettled()
            : m.overview_ofThisMerchant({ open: open.length })}
        </p>
      </div>
      {open.length > 0 ? (
        <ul>
          {open.slice(0, MAX_LISTED).map((view) => (
            <OpenCancellation key={view.id} view={view} onFocusLost={() => heading.current?.focus()} />
          ))}
        </ul>
      ) : null}
      {further > 0 ? (
        <p className="border-t border-line px-5 py-3 text-ink-soft max-md:px-4">{m.overview_andMore({ further })}</p>
      ) : null}
    </section>
  )
}
