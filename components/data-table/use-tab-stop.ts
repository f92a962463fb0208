'use client'

import { useRef, useState } from 'react'
import type { ListPlace } from '@/lib/browser/list-memory'

/** How long a press may take to become a click whose effect is drawn (milliseconds). */
const press = 150

/**
 * The key of the row that has the grid's one tab stop. `give` draws that at once; `giveLater`, for the focus that a press
 * brings, once what the press did is drawn: nobody goes on by Tab meanwhile, and a tick must not wait for it.
 */
export function useTabStop(place: ListPlace): {
  key: string | null
  give: (key: string) => void
  giveLater: (key: string) => void
} {
  const [key, setKey] = useState(place.focusKey)
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  function take(next: string, delay: number): void {
    clearTimeout(later.current)
    place.focus(next)
    if (delay === 0) setKey(next)
    else later.current = setTimeout(setKey, delay, next)
  }
  return { key, give: (next) => take(next, 0), giveLater: (next) => take(next, press) }
}
