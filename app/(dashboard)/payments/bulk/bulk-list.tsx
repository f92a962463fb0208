'use client'

import { useQuery } from '@tanstack/react-query'
import { useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { BulkBadge } from '@/components/payments/bulk-badge'
import { Timestamp } from '@/components/records/dates'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { BulkList as Answer, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { describeSource } from '@/lib/domain/cancellations/bulk-messages'
import * as m from '@/lib/messages/m'

const isAlive = ({ state }: BulkView) => state === 'preparing' || state === 'starting' || state === 'running'

function describeCount({ count, counts, startedAt }: BulkView, formatCount: FormatCount): string {
  const payments = m.overview_paymentCount({ count: count })
  return startedAt === null
    ? payments
    : m.bulkCancellation_ofCancelled({ cancelled: formatCount(counts.cancelled), payments })
}

/** The team's latest bulk cancellations. */
export function BulkList({ initialBulks, mayStart }: { initialBulks: readonly BulkView[]; mayStart: boolean }) {
  const formatCount = useFormatCount()
  const choosePolling = useLiveQuery(['bulks'], ['bulk'])
  const { data } = useQuery({
    queryKey: ['bulks'],
    queryFn: ({ signal }) => callDesk<Answer>('/bulk', { signal, quiet: true }),
    initialData: { bulks: [...initialBulks] },
    refetchInterval: ({ state }) => choosePolling(state.data?.bulks.some(isAlive) ? 2_000 : 15_000),
  })
  return (
    <section className="grid gap-3">
      <h2 className="text-base font-semibold">{m.bulkCancellation_bulksSoFar()}</h2>
      {data.bulks.length === 0 ? (
        <p className="text-ink-soft">
          {mayStart ? m.bulkCancellation_noneYetPasteOrUpload() : m.bulkCancellation_noneYet()}
        </p>
      ) : (
        <ul className="rounded-lg border border-line bg-surface lg:grid lg:grid-cols-[minmax(15rem,1fr)_auto_auto_auto]">
          {data.bulks.map((bulk) => (
            <li
              key={bulk.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 first:border-t-0 lg:col-span-full lg:grid lg:grid-cols-subgrid"
            >
              <Link
                href={`/payments/bulk/${bulk.id}`}
                className="min-w-0 flex-1 basis-60 py-3 font-medium wrap-anywhere hover:underline md:py-0"
              >
                <UntrustedText>{describeSource(bulk.source)}</UntrustedText>
              </Link>
              <span className="text-ink-soft tabular-nums lg:whitespace-nowrap">
                {describeCount(bulk, formatCount)}
              </span>
              <span className="text-ink-soft tabular-nums wrap-anywhere">
                <Timestamp value={bulk.startedAt ?? bulk.createdAt} />, {bulk.requestedBy}
              </span>
              <BulkBadge view={bulk} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
