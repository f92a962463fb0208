'use client'

import { useQuery } from '@tanstack/react-query'
import { callDesk } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { AwaitedApprovals } from '@/lib/domain/cancellations/approval'
import type { ClosingCount } from '@/lib/domain/overview'
import * as m from '@/lib/messages/m'
import { useFormatCount } from './app-config'

const CLOSING_REFRESH_MS = 5 * 60_000
const APPROVALS_REFRESH_MS = 60_000
/** The server counts at most once a second. */
const CLOSING_DELAY_MS = 1_000

/** A count beside a place of the navigation, with a description for screen readers. */
function CountBadge({ written, about }: { written: string; about: string }) {
  return (
    <span className="ml-auto rounded-full bg-caution-soft px-2 text-xs leading-5 font-medium text-caution tabular-nums md:max-xl:ml-0">
      <span aria-hidden="true">{written}</span>
      <span className="sr-only">, {about}</span>
    </span>
  )
}

/** How many requests wait for the reader's approval; nothing when there are none. */
export function ApprovalsBadge() {
  const formatCount = useFormatCount()
  useLiveQuery(['approvals'], ['bulk'], { countsLoad: false, intervalMs: 5_000 })
  const { data } = useQuery({
    queryKey: ['approvals', 'count'],
    queryFn: ({ signal }) => callDesk<AwaitedApprovals>('/bulk/approvals', { signal, quiet: true }),
    staleTime: APPROVALS_REFRESH_MS,
    refetchInterval: APPROVALS_REFRESH_MS,
    retry: false,
  })
  if (!data?.count) return null
  return <CountBadge written={formatCount(data.count)} about={m.approval_badge({ count: data.count })} />
}

/** How many payments close today; nothing while it is not known, and when there are none. */
export function ClosingBadge() {
  const formatCount = useFormatCount()
  useLiveQuery(['closing-count'], ['closing'], {
    countsLoad: false,
    intervalMs: 5_000,
    delayMs: CLOSING_DELAY_MS,
  })
  const { data } = useQuery({
    queryKey: ['closing-count'],
    queryFn: ({ signal }) => callDesk<ClosingCount>('/overview/closing', { signal, quiet: true }),
    staleTime: CLOSING_REFRESH_MS,
    refetchInterval: CLOSING_REFRESH_MS,
    retry: false,
  })
  if (!data?.count) return null
  const written = `${formatCount(data.count)}${data.isComplete ? '' : '+'}`
  return <CountBadge written={written} about={m.shell_closingCount({ count: data.count, written })} />
}
