'use client'

import { useEffect, useState } from 'react'

/**
 * Loads a part of the page on first use. Unlike `lazy`, a failed load (no network, a newer build) doesn't throw into
 * the surrounding page: `failed` reports it, and the next use retries.
 */
export function useLazyModule<Module>(
  isNeeded: boolean,
  load: () => Promise<Module>,
): { part: Module | null; failed: boolean } {
  const [state, setState] = useState<{ part: Module | null; failed: boolean }>({ part: null, failed: false })
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
