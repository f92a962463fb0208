'use client'

import { useEffect, useState } from 'react'
import { callDesk } from '@/lib/browser/call'
import type { InboxView } from '@/lib/contract/inbox'

const every = 3_000

/** The inbox, looked into every 3 s while the page is in sight. `take` puts in what another request answered. */
export function useInbox(first: InboxView): {
  view: InboxView
  failure: unknown
  take: (view: InboxView) => void
} {
  const [view, setView] = useState(first)
  const [failure, setFailure] = useState<unknown>(null)

  useEffect(() => {
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      if (document.visibilityState === 'visible') {
        try {
          setView(await callDesk<InboxView>('/inbox', { signal: ending.signal }))
          setFailure(null)
        } catch (error) {
          if (!ending.signal.aborted) setFailure(error)
        }
      }
      if (!ending.signal.aborted) timer = setTimeout(() => void look(), every)
    }
    timer = setTimeout(() => void look(), every)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [])

  return { view, failure, take: setView }
}
