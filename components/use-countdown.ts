'use client'

import { useEffect, useState } from 'react'

/** Whole seconds left of a wait; starts anew whenever `source` is another object. */
export function useCountdown(seconds: number | null, source: unknown): number {
  const [started, setStarted] = useState({ source, at: Date.now(), now: Date.now() })
  if (started.source !== source) setStarted({ source, at: Date.now(), now: Date.now() })
  const left = Math.max(0, Math.ceil((seconds ?? 0) - (started.now - started.at) / 1_000))
  const running = left > 0

  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setStarted((state) => ({ ...state, now: Date.now() })), 1_000)
    return () => clearInterval(timer)
  }, [running, source])

  return left
}
