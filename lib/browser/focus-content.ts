import { useEffect, useRef } from 'react'

/** A dialog that closes gives the focus back within this time, if what had it is still there (milliseconds). */
const settled = 300

/**
 * When what had the focus went with what `shown` named before, puts it at the beginning of the page's content, so that
 * whoever uses keys goes on there and not at the top of the document.
 */
export function useFocusContent(shown: string | boolean): void {
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return undefined
    last.current = shown
    const timer = setTimeout(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
    }, settled)
    return () => clearTimeout(timer)
  }, [shown])
}
