'use client'

import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react'
import { addMerchantParam } from '@/lib/client/page-context'
import { formatCount } from '@/lib/domain/numbers'

/** Configuration that decides how values are displayed; the same on server and client. */
export type AppConfig = {
  /** The merchant of this document; null if nobody is signed in, or if the URL names a merchant of others. */
  connectionId: string | null
  /** The same if URLs must include it; null for users with one merchant. */
  merchant: string | null
  /** The unit of amounts (`UPSTREAM_AMOUNTS`). */
  amounts: 'minor' | 'hundredths' | 'major'
  /** IANA time zone of business dates (`SCHEME_ZONE`). */
  schemeZone: string
  /** Rules for the estimated cancellation cut-off (`CANCEL_CUTOFF`); without them no estimate is shown. */
  cutOffs?: string
  /** Days that exports are kept (`KEEP_EXPORTS`); default 1. */
  exportDays?: number
  /** Payment states in lower case: cancellable, cancelled, and otherwise final. */
  states: { cancellable: readonly string[]; cancelled: readonly string[]; final: readonly string[] }
  /** The reader's locale, for dates, amounts and counts. */
  locale: string
  /** Whether compact rows were chosen when the page was rendered. */
  isCompact?: boolean
  /** The CSP nonce; in the server's HTML only. */
  nonce?: string
}

const Facts = createContext<AppConfig | null>(null)

const subscribeToNothing = () => () => {}
const readZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
const serverZone = () => 'UTC'

const ViewerZone = createContext(serverZone())

export function AppConfigProvider({ facts, children }: { facts: AppConfig; children: ReactNode }) {
  // Read once for all cells: the lookup takes longer than rendering a cell.
  const zone = useSyncExternalStore(subscribeToNothing, readZone, serverZone)
  return (
    <Facts value={facts}>
      <ViewerZone value={zone}>{children}</ViewerZone>
    </Facts>
  )
}

/** The viewer's IANA time zone. The server doesn't know it: its HTML and the first render use UTC, and say so. */
export function useViewerZone(): string {
  return useContext(ViewerZone)
}

/** The configuration; only inside the `(dashboard)` layout. */
export function useAppConfig(): AppConfig {
  const facts = useContext(Facts)
  if (!facts) throw new Error('No DeskFactsProvider.')
  return facts
}

/** Whether this document has no merchant: then a merchant's page needs a full load. */
export function useHasNoMerchant(): boolean {
  return useContext(Facts)?.connectionId === null
}

/** Adds the merchant to internal URLs, for users with several. */
export function useMerchantAddress(): (address: string) => string {
  const merchant = useContext(Facts)?.merchant ?? null
  return useCallback((address: string) => addMerchantParam(address, merchant), [merchant])
}

/** Formats a count in the reader's locale. */
export type WriteCount = (count: number) => string

/** The count formatter; only inside the `(dashboard)` layout. */
export function useCount(): WriteCount {
  const { locale } = useAppConfig()
  return useCallback((count) => formatCount(count, locale), [locale])
}
