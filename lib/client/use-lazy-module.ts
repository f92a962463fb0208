'use client'

import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Loads a part of the page on first use. Unlike `lazy`, a failed load (no network, a newer build) doesn't throw into
 * the surrounding page: `failed` and `onFailed` report it, and it is loaded again once `isNeeded` was false in between.
 */
export function useLazyModule<Module>(
  isNeeded: boolean,
  load: () => Promise<Module>,
  onFailed?: () => void,
): { part: Module | null; failed: boolean } {
  const [state, setState] = useState<{ part: Module | null; failed: boolean }>({ part: null, failed: false })
  const missing = isNeeded && state.part === null
  const fail = useEffectEvent(() => {
    setState({ part: null, failed: true })
    onFailed?.()
  })

  useEffect(() => {
    if (!missing) return undefined
    let current = true
    load().then(
      (part) => current && setState({ part, failed: false }),
      () => current && fail(),
    )
    return () => {
      current = false
    }
  }, [missing, load])

  return { part: state.part, failed: state.failed && isNeeded }
}
