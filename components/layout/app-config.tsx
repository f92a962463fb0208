'use client'

import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react'
import { addMerchantParam } from '@/lib/client/page-context'
import { formatCount } from '@/lib/domain/numbers'

/** What decides how values are shown and whose they are; the same on the server and in the browser. */
export type AppConfig = {
  /** The merchant that this document was made for; null when nobody is signed in, or its address names another's. */
  connectionId: string | null
  /** The same, where addresses must name it: null for users with one merchant. */
  merchant: string | null
  /** The unit of amounts (`UPSTREAM_AMOUNTS`). */
  amounts: 'minor' | 'hundredths' | 'major'
  /** IANA name of the zone of business dates (`SCHEME_ZONE`). */
  schemeZone: string
  /** How long payments can be cancelled, by estimate (`CANCEL_CUTOFF`); without it none is shown. */
  cutOffs?: string
  /** For how many days exports are kept (`KEEP_EXPORTS`); 1 if it is not said. */
  exportDays?: number
  /** Payment states that may be cancelled, that mean cancelled, and that otherwise end it; in lower case. */
  states: { cancellable: readonly string[]; cancelled: readonly string[]; final: readonly string[] }
  /** How dates, amounts and counts are written: the reader's locale. */
  locale: string
  /** Whether the rows of lists stood close when the page was made. */
  isCompact?: boolean
  /** What the page's security policy asks of a script within it: for the server's HTML alone. */
  nonce?: string
}

const Facts = createContext<AppConfig | null>(null)

const subscribeToNothing = () => () => {}
const readZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
const serverZone = () => 'UTC'

const ViewerZone = createContext(serverZone())

export function AppConfigProvider({ facts, children }: { facts: AppConfig; children: ReactNode }) {
  // Once for all cells: the browser takes longer to say it than a cell to be drawn.
  const zone = useSyncExternalStore(subscribeToNothing, readZone, serverZone)
  return (
    <Facts value={facts}>
      <ViewerZone value={zone}>{children}</ViewerZone>
    </Facts>
  )
}

/** The viewer's IANA zone. The server does not know it: its HTML and the first render say UTC, and name it. */
export function useViewerZone(): string {
  return useContext(ViewerZone)
}

/** The facts of the desk; only inside the `(dashboard)` layout. */
export function useAppConfig(): AppConfig {
  const facts = useContext(Facts)
  if (!facts) throw new Error('No DeskFactsProvider.')
  return facts
}

/** Whether this document is of no merchant: a page of one has to be loaded anew. */
export function useHasNoMerchant(): boolean {
  return useContext(Facts)?.connectionId === null
}

/** Writes the merchant into addresses of this desk, for users with several. */
export function useMerchantAddress(): (address: string) => string {
  const merchant = useContext(Facts)?.merchant ?? null
  return useCallback((address: string) => addMerchantParam(address, merchant), [merchant])
}

/** Writes a count as the reader's locale does. */
export type WriteCount = (count: number) => string

/** How counts are written here; only inside the `(dashboard)` layout. */
export function useCount(): WriteCount {
  const { locale } = useAppConfig()
  return useCallback((count) => formatCount(count, locale), [locale])
}
