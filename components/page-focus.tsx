'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { focusContentSoon } from '@/lib/browser/focus-content'

/** Stands once in the shell: whose focus went with the page that they left goes on where the next one begins. */
export function PageFocus() {
  const path = usePathname()
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return undefined
    last.current = path
    return focusContentSoon()
  }, [path])
  return null
}
