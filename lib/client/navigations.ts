import { useEffect, useRef } from 'react'

let begun = 0

/** Called by Next.js as a navigation begins: the page stays until the server has answered. */
export function noteNavigation(): void {
  begun += 1
}

/**
 * Returns a function that begins to watch and returns another one: whether the component has gone since then, or the
 * reader is on the way to another page.
 */
export function useLeaveWatch(): () => () => boolean {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return () => {
    const before = begun
    return () => !isHere.current || begun !== before
  }
}
