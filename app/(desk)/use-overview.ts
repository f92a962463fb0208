'use client'

import { useEffect, useState } from 'react'
import { readOverview } from '@/lib/browser/read-overview'
import type { Overview } from '@/lib/contract/overview'

/** The figures as they grow; what was counted stays when reading fails. `again` asks anew. */
export function useOverview(): { overview: Overview | null; error: unknown; again: () => void } {
  const [overview, setOverview] = useState<Overview | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)

  useEffect(() => {
    const ending = new AbortController()
    readOverview({ anew: round > 0, signal: ending.signal, onOverview: setOverview }).catch((thrown: unknown) => {
      if (!ending.signal.aborted) setError(thrown)
    })
    return () => ending.abort()
  }, [round])

  return {
    overview,
    error,
    again: () => {
      setError(null)
      setRound((was) => was + 1)
    },
  }
}
