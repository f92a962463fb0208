'use client'

import { useEffect, useState } from 'react'

/**
 * A part of the page that is fetched when it is first wanted. Unlike `lazy`, a fetch that fails (no network,
 * a newer build) throws nothing at the page around it: `failed` says so, and the next want tries again.
 */
export function useLazyModule<Part>(
  wanted: boolean,
  load: () => Promise<Part>,
): { part: Part | null; failed: boolean } {
  const [state, setState] = useState<{ part: Part | null; failed: boolean }>({ part: null, failed: false })
  const missing = wanted && state.part === null

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

  return { part: state.part, failed: state.failed && wanted }
}
