import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/** False on the server and until hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

/** Focuses the page's content, so that keyboard users continue there and not at the top of the document. */
export function focusContent(): void {
  document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
}

/** A closing dialog restores the focus within this time. */
const FOCUS_RESTORE_MS = 300

/** When the focused element disappears with a change of `shown`, focuses the page's content. */
export function useFocusContent(shown: string | boolean): void {
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return undefined
    last.current = shown
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) focusContent()
    }, FOCUS_RESTORE_MS)
    return () => clearTimeout(timer)
  }, [shown])
}

/** The ref of an element; `onFocusLost` is called when it disappears with the focus in it, which would be lost. */
export function useFocusLost<Item extends HTMLElement>(onFocusLost: (item: Item) => void): RefObject<Item | null> {
  const item = useRef<Item>(null)
  const lose = useEffectEvent(onFocusLost)
  useLayoutEffect(() => {
    const element = item.current
    return () => {
      if (element?.contains(document.activeElement)) lose(element)
    }
  }, [])
  return item
}

/** Navigates; where that is a page load, resolves to whether it is under way. */
export type Go = () => void | Promise<boolean>

type Guard = (go: Go, isReload: boolean) => void

const guards = new Set<Guard>()

/** Lets `guard` decide whether navigation by code goes ahead, until the returned function is called. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => {
    guards.delete(guard)
  }
}

/** Whether leaving is being asked about. */
export const isGuarded = () => guards.size > 0

/** Navigates with `go`, once the innermost guard agrees. `isReload`: that loads this page again. */
export function leave(go: Go, { isReload = false } = {}): void {
  const guard = [...guards].at(-1)
  if (guard) guard(go, isReload)
  else void go()
}

/** The first wait of pauseAfter. */
export const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

/**
 * Waits after the attempt with this number (from 0): longer each time, randomised, and at least `atLeast` milliseconds.
 * Ends early where the browser comes online again or `signal` aborts.
 */
export function pauseAfter(attempt: number, atLeast: number, signal: AbortSignal): Promise<void> {
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(end, Math.max(atLeast, wait))
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { signal: done.signal })
    window.addEventListener('online', end, { signal: done.signal })
  })
}
