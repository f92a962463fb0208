'use client'

import { useCallback, useEffect, useState } from 'react'

/**
 * A part of the page that is fetched when it is first wanted. Unlike `lazy`, a fetch that fails (no network,
 * a newer build) throws nothing at the page around it: `failed` says so and the next want tries again.
 */
export function useLoaded<Part>(wanted: boolean, load: () => Promise<Part>): { part: Part | null; failed: boolean } {
  const [part, setPart] = useState<{ value: Part } | null>(null)
  const [failed, setFailed] = useState(false)
  const loaded = part !== null

  const fetchPart = useCallback(async () => {
    try {
      const value = await load()
      setPart({ value })
      setFailed(false)
    } catch {
      setFailed(true)
    }
  }, [load])

  useEffect(() => {
    if (wanted && !loaded) void fetchPart()
  }, [wanted, loaded, fetchPart])

  return { part: part?.value ?? null, failed: failed && wanted }
}
