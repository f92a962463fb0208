'use client'

import { useEffect, useState } from 'react'
import { callDesk } from '@/lib/browser/call'
import type { SearchReply } from '@/lib/contract/search'

/** What was answered to `text`. */
type SearchState = { text: string; reply: SearchReply | null; failed: boolean }

const pause = 200

/** Asks the desk for records a moment after the last key. The answer to an earlier text is never shown for a later one. */
export function useSearch(typed: string): { reply: SearchReply | null; failed: boolean; isAsking: boolean } {
  const text = typed.trim()
  const isWanted = text.length >= 2 && text.length <= 200 && text.isWellFormed() && !text.includes('\0')
  const [state, setState] = useState<SearchState | null>(null)

  useEffect(() => {
    if (!isWanted) return undefined
    const ending = new AbortController()
    const timer = setTimeout(() => {
      callDesk<SearchReply>(`/search?q=${encodeURIComponent(text)}`, { signal: ending.signal }).then(
        (reply) => setState({ text, reply, failed: reply.failed }),
        () => {
          if (!ending.signal.aborted) setState({ text, reply: null, failed: true })
        },
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text, isWanted])

  const current = isWanted && state?.text === text ? state : null
  return { reply: current?.reply ?? null, failed: current?.failed ?? false, isAsking: isWanted && current === null }
}
