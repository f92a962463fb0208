import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/** False in the server's HTML and until React has taken over, then true. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}
