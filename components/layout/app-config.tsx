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
  /** The reader's role at the merchant. */
  role?: string
  /** Payment states in lower case: cancellable, cancelled, and otherwise final. */
  states: { cancellable: readonly string[]; cancelled: readonly string[]; final: readonly string[] }
  /** The reader's locale, for dates, amounts and counts. */
  locale: string
  /** Whether compact rows were chosen when the page was rendered. */
  isCompact?: boolean
  /** The CSP nonce; in the server's HTML only. */
  nonce?: string
}

const ConfigContext = createContext<AppConfig | null>(null)

const subscribeToNothing = () => () => {}
const getBrowserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
const getServerZone = () => 'UTC'

const ViewerZoneContext = createContext(getServerZone())

export function AppConfigProvider({ config, children }: { config: AppConfig; children: ReactNode }) {
  // Read once for all cells: the lookup takes longer than rendering a cell.
  const zone = useSyncExternalStore(subscribeToNothing, getBrowserZone, getServerZone)
  return (
    <ConfigContext value={config}>
      <ViewerZoneContext value={zone}>{children}</ViewerZoneContext>
    </ConfigContext>
  )
}

/** The viewer's IANA time zone. The server doesn't know it: its HTML and the first render use UTC, and say so. */
export function useViewerZone(): string {
  return useContext(ViewerZoneContext)
}

/** The configuration; only inside the `(dashboard)` layout. */
export function useAppConfig(): AppConfig {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('No AppConfigProvider.')
  return config
}

/** Whether this document has no merchant: then a merchant's page needs a full load. */
export function useHasNoMerchant(): boolean {
  return useContext(ConfigContext)?.connectionId === null
}

/** Adds the merchant to internal URLs, for users with several. */
export function useMerchantAddress(): (address: string) => string {
  const merchant = useContext(ConfigContext)?.merchant ?? null
  return useCallback((address: string) => addMerchantParam(address, merchant), [merchant])
}

/** Formats a count in the reader's locale. */
export type FormatCount = (count: number) => string

/** The count formatter; only inside the `(dashboard)` layout. */
export function useFormatCount(): FormatCount {
  const { locale } = useAppConfig()
  return useCallback((count) => formatCount(count, locale), [locale])
}
