'use client'

import { useQuery } from '@tanstack/react-query'
import { callDesk } from '@/lib/client/api-client'
import type { ClosingCount } from '@/lib/domain/overview'
import * as m from '@/lib/messages/m'
import { useFormatCount } from './app-config'

const REFRESH_MS = 5 * 60_000

/** How many payments close today; nothing while it is not known, and when there are none. */
export function ClosingBadge() {
  const formatCount = useFormatCount()
  const { data } = useQuery({
    queryKey: ['closing-count'],
    queryFn: ({ signal }) => callDesk<ClosingCount>('/overview/closing', { signal, quiet: true }),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  if (!data?.count) return null
  const written = `${formatCount(data.count)}${data.isComplete ? '' : '+'}`
  return (
    <span className="ml-auto rounded-full bg-caution-soft px-2 text-xs leading-5 font-medium text-caution tabular-nums md:max-xl:ml-0">
      <span aria-hidden="true">{written}</span>
      <span className="sr-only">, {m.shell_closingCount({ count: data.count, written })}</span>
    </span>
  )
}
