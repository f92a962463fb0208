'use client'

import { useEffect, useState } from 'react'
import type { Signal } from '@/lib/browser/signal'

/** The version of what changes, taken in one frame late: what tells of a press must not hold up the frame that shows it. */
export function useVersionAfterPaint({ subscribe, getVersion }: Pick<Signal, 'subscribe' | 'getVersion'>): number {
  const [version, setVersion] = useState(getVersion)
  useEffect(() => {
    let frame = 0
    const takeIn = () => setVersion(getVersion())
    const stop = subscribe(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setTimeout(takeIn))
    })
    takeIn()
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [subscribe, getVersion])
  return version
}
