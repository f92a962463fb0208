'use client'

import { useEffect, useState } from 'react'
import { callDesk } from '@/lib/browser/call'
import type { CustomerImportView } from '@/lib/contract/customer-import'

/** So often a running import is asked after (milliseconds). */
const pause = 1_000

/** An import as it goes on, and what stops it or lets it go on. `error` is of the last asking. */
export function useImport(first: CustomerImportView) {
  const [view, setView] = useState(first)
  const [error, setError] = useState<unknown>(null)
  const path = `/imports/${view.importId}` as const
  const isRunning = view.state === 'running'

  useEffect(() => {
    if (!isRunning) return undefined
    const request = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      try {
        setView(await callDesk<CustomerImportView>(path, { signal: request.signal }))
        setError(null)
      } catch (thrown) {
        if (request.signal.aborted) return
        setError(thrown)
      }
      timer = setTimeout(() => void ask(), pause)
    }
    timer = setTimeout(() => void ask(), pause)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [isRunning, path])

  async function act(action: 'stop' | 'go-on'): Promise<void> {
    try {
      setView(await callDesk<CustomerImportView>(path, { method: 'POST', body: { action } }))
      setError(null)
    } catch (thrown) {
      setError(thrown)
    }
  }

  return { view, error, act }
}
