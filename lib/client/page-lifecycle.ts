import { useEffect, useRef, useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/** False in the server's HTML and until React has taken over, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

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

type Guard = (go: () => void) => void

const guards = new Set<Guard>()

/** From now on `guard` decides whether code leads away from the page: it calls `go`, or not. Answers how to end that. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => {
    guards.delete(guard)
  }
}

/** Leads away from the page by `go`, once whoever guards what was typed there has agreed. */
export function leave(go: () => void): void {
  const guard = [...guards].at(-1)
  if (guard) guard(go)
  else go()
}
