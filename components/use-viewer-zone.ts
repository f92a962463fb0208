'use client'

import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}
const readZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
const serverZone = () => 'UTC'

/** The viewer's zone. The server does not know it: its HTML and the first render say UTC, and name it. */
export function useViewerZone(): string {
  return useSyncExternalStore(subscribeToNothing, readZone, serverZone)
}
