'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callDesk } from '@/lib/browser/call'
import type { BulkResultRow, BulkRows, BulkView } from '@/lib/contract/bulk'
import { isMoving } from './use-bulk'

type Held = { rows: readonly BulkResultRow[]; asOf: string }

const nothing: readonly BulkResultRow[] = []

async function readAll(id: string, signal: AbortSignal, since?: string): Promise<Held> {
  const rows: BulkResultRow[] = []
  let asOf: string | undefined
  let from: number | null = 0
  while (from !== null) {
    const query = new URLSearchParams({ from: String(from), ...(since !== undefined && { since }) })
    const page: BulkRows = await callDesk<BulkRows>(`/bulk/${id}/rows?${query.toString()}`, { signal, quiet: true })
    rows.push(...page.rows)
    // What changes while the later pages are read is asked for again.
    asOf ??= page.asOf
    from = page.next
  }
  return { rows, asOf: asOf ?? '' }
}

async function readOn(client: QueryClient, key: string[], id: string, signal: AbortSignal): Promise<Held> {
  const held = client.getQueryData<Held>(key)
  if (!held) return readAll(id, signal)
  const changed = await readAll(id, signal, held.asOf)
  if (changed.rows.length === 0) return { rows: held.rows, asOf: changed.asOf }
  const byPosition = new Map(changed.rows.map((row) => [row.position, row]))
  return { rows: held.rows.map((row) => byPosition.get(row.position) ?? row), asOf: changed.asOf }
}

/** All rows of a bulk: read once, then only what has changed, while it moves. */
export function useBulkRows(view: BulkView) {
  const client = useQueryClient()
  const { id, startedAt, endedAt } = view
  // Once it runs every row is another.
  const isList = startedAt === null || view.state === 'starting'
  const key = ['bulk', id, 'rows', isList ? 'list' : 'result']
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readOn(client, key, id, signal),
    enabled: view.state !== 'preparing' && view.state !== 'failed',
    refetchInterval: isMoving(view) ? 1_500 : false,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })

  useEffect(() => {
    // The last change of all.
    if (endedAt !== null) void refetch()
  }, [endedAt, refetch])

  return { rows: data?.rows ?? nothing, isLoaded: data !== undefined, problem: error }
}
