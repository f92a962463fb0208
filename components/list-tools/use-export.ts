'use client'

import { useCallback, useEffect, useState } from 'react'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { callDesk } from '@/lib/browser/call'
import type { ListId } from '@/lib/contract/ability'
import type { ExportQuery, ListExportView } from '@/lib/contract/list-export'

const every = 700

type Exporting = {
  /** The export that is shown, at first the one that runs; null: none; undefined: not known yet. */
  view: ListExportView | null | undefined
  /** Those of this list that have ended and are still kept, newest first. */
  earlier: readonly ListExportView[]
  /** What the last request came to, where it failed. */
  error: unknown
  begin: (query: ExportQuery) => Promise<void>
  change: (action: 'stop' | 'resume') => Promise<void>
  show: (view: ListExportView) => void
  /** Makes room for another one. */
  forget: () => void
}

/** One that a person has stopped is hashed a moment later. */
function isMoving({ state, reason, sha256 }: ListExportView): boolean {
  return state === 'running' || (reason === 'by-person' && sha256 === null)
}

/** The exports of a list and what can be done with it; looked at again and again while it runs, wherever it was begun. */
export function useExport(list: ListId): Exporting {
  const [view, setView] = useState<ListExportView | null>()
  const [kept, setKept] = useState<readonly ListExportView[]>([])
  const [error, setError] = useState<unknown>(null)
  const path = view ? (`/exports/${view.exportId}` as const) : null
  const isRunning = view ? isMoving(view) : false

  const take = useCallback(async (asking: Promise<ListExportView>, signal?: AbortSignal) => {
    try {
      const taken = await asking
      if (signal?.aborted) return
      setView(taken)
      setKept((before) => [taken, ...before.filter(({ exportId }) => exportId !== taken.exportId)])
      setError(null)
    } catch (cause) {
      if (!signal?.aborted) setError(cause)
    }
  }, [])

  useEffect(() => {
    const request = new AbortController()
    callDesk<{ exports: ListExportView[] }>('/exports', { signal: request.signal }).then(
      ({ exports }) => {
        const own = exports.filter((one) => one.list === list)
        setKept(own)
        setView(own.find(({ state }) => state === 'running') ?? null)
      },
      (cause) => request.signal.aborted || (setError(cause), setView(null)),
    )
    return () => request.abort()
  }, [list])

  useEffect(() => {
    if (!isRunning || path === null) return undefined
    const request = new AbortController()
    const { signal } = request
    const look = async () => {
      while (!signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, every))
        if (!signal.aborted) await take(callDesk<ListExportView>(path, { quiet: true, signal }), signal)
      }
    }
    void look()
    return () => request.abort()
  }, [isRunning, path, take])

  return {
    view,
    earlier: kept.filter(({ state }) => state !== 'running'),
    error,
    begin: (query) =>
      take(callAgainWhenProven(() => callDesk<ListExportView>('/exports', { method: 'POST', body: query }))),
    change: async (action) => {
      if (path) await take(callDesk<ListExportView>(path, { method: 'POST', body: { action } }))
    },
    show: setView,
    forget: () => setView(null),
  }
}
