'use client'

import { usePathname } from 'next/navigation'
import { useFocusContent } from '@/lib/browser/focus-content'

/** Stands once in the shell: whose focus went with the page that they left goes on where the next one begins. */
export function PageFocus() {
  useFocusContent(usePathname())
  return null
}
