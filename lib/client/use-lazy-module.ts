'use client'

import { useEffect, useState } from 'react'

/**
 * Loads a part of the page on first use. Unlike `lazy`, a failed load (no network, a newer build) doesn't throw into
 * the surrounding page: `failed` reports it, and the next use retries.
 */
export function useLazyModule<Part>(
  isNeeded: boolean,
  load: () => Promise<Part>,
): { part: Part | null; failed: boolean } {
  const [state, setState] = useState<{ part: Part | null; failed: boolean }>({ part: null, failed: false })
  const missing = isNeeded && state.part === null

  useEffect(() => {
    if (!missing) return undefined
    let current = true
    load().then(
      (part) => current && setState({ part, failed: false }),
      () => current && setState({ part: null, failed: true }),
    )
    return () => {
      current = false
    }
  }, [missing, load])

  return { part: state.part, failed: state.failed && isNeeded }
}
