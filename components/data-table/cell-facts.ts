import type { AmountUnit } from '@/lib/format/money'

/** What cells need beside their row; handed down once, so that a cell costs no hooks. */
export type CellFacts = {
  locale: string
  amounts: AmountUnit
  /** The zone of business dates. */
  schemeZone: string
  /** The zone of moments. */
  viewerZone: string
}
