'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { UnsettledCancellation } from '@/components/cancellations/unsettled-cancellation'
import { callDesk } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { CancellationList, CancellationView } from '@/lib/domain/cancellations/cancellation'
import * as m from '@/lib/messages/m'

/** Cancellations listed; the others are counted. */
const MAX_LISTED = 8

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
            <UnsettledCancellation
              key={view.id}
              view={view}
              className="border-t px-5 max-md:px-4"
              onFocusLost={() => heading.current?.focus()}
            />
          ))}
        </ul>
      ) : null}
      {further > 0 ? (
        <p className="border-t border-line px-5 py-3 text-ink-soft max-md:px-4">{m.overview_andMore({ further })}</p>
      ) : null}
    </section>
  )
}
