'use client'

import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { acceptGone, callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import { useIsLive, useLiveQuery } from '@/lib/client/use-live-changes'
import type { ApprovalDecision } from '@/lib/domain/cancellations/approval'
import type {
  BulkAction,
  BulkConfirmation,
  BulkResultRow,
  BulkRowChange,
  BulkRows,
  BulkView,
} from '@/lib/domain/cancellations/bulk-cancellation'

const makeKey = (id: string) => ['bulk', id]

/** The polling interval in milliseconds where changes are not told: short while something changes. */
function chooseInterval(view: BulkView | undefined): number | false {
  if (!view) return false
  if (view.state === 'preparing' || view.state === 'starting') return 700
  if (view.state === 'running') return 1_000
  if (view.state === 'awaiting') return 5_000
  const isSettled = view.settled >= view.count
  return view.startedAt !== null && (view.state === 'paused' || !isSettled) ? 2_000 : false
}

export function isMoving(view: BulkView): boolean {
  return view.startedAt !== null && chooseInterval(view) !== false
}

/** Follows a bulk; `problem` is why its state is currently unknown. */
export function useBulk(initialView: BulkView) {
  // Its rows are under the same key.
  const choosePolling = useLiveQuery(makeKey(initialView.id), ['bulk'], { ids: [initialView.id] })
  const { data, error } = useQuery({
    queryKey: makeKey(initialView.id),
    queryFn: ({ signal }) => callDesk<BulkView>(`/bulk/${initialView.id}`, { signal, quiet: true }),
    initialData: initialView,
    refetchInterval: ({ state }) => choosePolling(chooseInterval(state.data)),
  })
  return { view: data, problem: error }
}

/** Confirms a bulk, prompting for the password if required. */
export function useStart(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BulkConfirmation) =>
      retryAfterStepUp(() => callDesk<BulkView>(`/bulk/${id}/start`, { method: 'POST', body })),
    onSuccess: (view) => client.setQueryData(makeKey(id), view),
    // It may have been refused because the list has changed. The refusal waits for no read.
    onError: () => void client.invalidateQueries({ queryKey: makeKey(id) }),
  })
}

/** Approves, declines or withdraws a bulk, prompting for the password if required. */
export function useDecision(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ApprovalDecision) =>
      retryAfterStepUp(() => callDesk<BulkView>(`/bulk/${id}/approval`, { method: 'POST', body })),
    onSuccess: (view) => {
      client.setQueryData(makeKey(id), view)
      void client.invalidateQueries({ queryKey: ['approvals'] })
    },
    onError: () => void client.invalidateQueries({ queryKey: makeKey(id) }),
  })
}

/** Pauses, resumes or stops a bulk. */
export function useBulkAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: BulkAction) => callDesk<BulkView>(`/bulk/${id}`, { method: 'POST', body: { action } }),
    onSuccess: (view) => client.setQueryData(makeKey(id), view),
    onError: () => void client.invalidateQueries({ queryKey: makeKey(id) }),
  })
}

/** Takes a row out of the list, or back in; its new verdict shows at once. `onChange` is called with the list as it is then. */
export function useRowChange(id: string, onChange: (view: BulkView, change: BulkRowChange) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BulkRowChange) => callDesk<BulkView>(`/bulk/${id}/rows`, { method: 'PATCH', body }),
    onSuccess: (view, change) => {
      const { position, isLeftOut } = change
      client.setQueryData(makeKey(id), view)
      client.setQueryData<Held>(
        ['bulk', id, 'rows', 'list'],
        (held) =>
          held && {
            ...held,
            rows: held.rows.map((row) =>
              row.position === position ? { ...row, verdict: isLeftOut ? 'left-out' : 'cancellable' } : row,
            ),
          },
      )
      onChange(view, change)
    },
    // A read that is under way began before the change, and would undo it: this one takes its place.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: makeKey(id) })
    },
  })
}

/** Deletes a list that was never started. */
export function useDiscard(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callDesk(`/bulk/${id}`, { method: 'DELETE' }).catch(acceptGone),
    onSuccess: () => client.removeQueries({ queryKey: ['bulks'] }),
  })
}

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
    // Changes made while later pages are read are requested again.
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

/**
 * All rows of a bulk: read once, then only changes while it runs. `first`: those that the server read of a started one; null
 * of a list.
 */
export function useBulkRows(view: BulkView, first: BulkRows | null) {
  const client = useQueryClient()
  const isLive = useIsLive()
  const { id, startedAt, endedAt } = view
  // Once it runs, every row changes.
  const isList = startedAt === null || view.state === 'starting'
  // What was confirmed has its reasons.
  const phase = isList ? (view.approval ? 'confirmed' : 'list') : 'result'
  const key = ['bulk', id, 'rows', phase]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readOn(client, key, id, signal),
    ...(first?.next === null && phase === 'result' && { initialData: { rows: first.rows, asOf: first.asOf } }),
    enabled: view.state !== 'preparing' && view.state !== 'failed',
    refetchInterval: isMoving(view) && !isLive ? 1_500 : false,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })

  useEffect(() => {
    // One more read for the final change.
    if (endedAt !== null) void refetch()
  }, [endedAt, refetch])

  return { rows: data?.rows ?? nothing, isLoaded: data !== undefined, problem: error, retry: () => void refetch() }
}
