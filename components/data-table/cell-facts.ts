import type { CancellationView } from '@/lib/contract/cancellation'
import type { AmountUnit } from '@/lib/format/money'

/** What cells need beside their row; handed down once, so that a cell costs no hooks. */
export type CellFacts = {
  locale: string
  amounts: AmountUnit
  /** The zone of business dates. */
  schemeZone: string
  /** The zone of moments. */
  viewerZone: string
  /** Payment states that mean cancelled, in lower case. */
  cancelled: readonly string[]
  /** Payment states that may be cancelled, in lower case. */
  cancellable: readonly string[]
  /** Whether the reader's role carries `cancel`. */
  mayCancel: boolean
  /** What is known of a payment's cancellation. */
  findCancellation: (paymentId: string | null) => CancellationView | null
  /** Writes the merchant into addresses of this desk, for users with several. */
  address: (address: string) => string
}
