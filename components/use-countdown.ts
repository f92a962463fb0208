'use client'

import { useEffect, useState } from 'react'

/** Whole seconds left of a wait; starts anew whenever `source` is another object. */
export function useCountdown(seconds: number | null, source: unknown): number {
  const [passed, setPassed] = useState({ source, seconds: 0 })
  if (passed.source !== source) setPassed({ source, seconds: 0 })
  const left = Math.max(0, (seconds ?? 0) - passed.seconds)
  const running = left > 0

  useEffect(() => {
    if (!running) return undefined
    const started = Date.now()
    const timer = setInterval(() => setPassed({ source, seconds: Math.round((Date.now() - started) / 1_000) }), 1_000)
    return () => clearInterval(timer)
  }, [running, source])

  return left
}
