import { useEffect, useRef } from 'react'

let begun = 0
let destination = ''

/** Called by Next.js as a navigation begins, also of Back and Forward: the page stays until the server has answered. */
export function noteNavigation(address: string): void {
  begun += 1
  destination = new URL(address, location.href).pathname
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
    const page = location.pathname
    return () => !isHere.current || (begun !== before && destination !== page)
  }
}
