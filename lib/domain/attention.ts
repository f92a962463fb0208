import type { BulkView } from './cancellations/bulk-cancellation'
import type { CancellationView } from './cancellations/cancellation'

/** What is waiting for a person; reply of GET /api/desk/attention. */
export type Attention = {
  /** Requests that wait for the reader's approval; null where the role can't give it. */
  awaiting: readonly BulkView[] | null
  /** The reader's own lists that are not confirmed yet. */
  unconfirmed: readonly BulkView[]
  /** The reader's own requests: those that wait, and those that were not approved lately. */
  requests: readonly BulkView[]
  /** Cancellations whose outcome is unknown, or that need a person. */
  unknown: readonly CancellationView[]
}
