import type { Endpoint } from '@/lib/contract/endpoint'
import type { Database } from '@/lib/database/open-database'
import type { ListCapabilities } from '../capabilities/list-capabilities'
import type { cancellations } from '../store/schema'
import type { UpstreamCall, UpstreamReply } from '../upstream'
import type { LedgerClock } from './ledger-clock'
import type { LedgerMemory } from './ledger-memory'
import type { LedgerRules } from './ledger-rules'
import type { CancelVelocity } from './velocity'

/** One cancellation as the store keeps it. */
export type CancellationRow = typeof cancellations.$inferSelect

/** Between which steps a process can die; each is named after what has just been done, or is about to be. */
export type Step =
  | 'before-intent'
  | 'after-intent'
  | 'after-sending'
  | 'after-reply'
  | 'after-outcome'
  | 'during-read'
  | 'before-resend'
  | 'during-recovery'
  | 'before-part-of-start'

/** Everything that the ledger of one connection works with; handed in, so that a plain Node process can run it. */
export type Ledger = {
  db: Database
  /** Whether no other process can work on the store: a lease found at the start is then a dead one's. */
  isAlone: boolean
  connectionId: string
  /** Works on this user's alone, whose access token the service is asked with (UPSTREAM_AUTH=session). */
  ownerId?: string | undefined
  /** The upstream, bound to the connection. */
  call: (endpoint: Endpoint, call?: UpstreamCall) => Promise<UpstreamReply>
  /** What the service's list of payments can do. */
  capabilities: ListCapabilities
  clock: LedgerClock
  rules: LedgerRules
  /** Null where a person may cancel single payments at any pace. */
  velocity: CancelVelocity | null
  memory: LedgerMemory
  /** Leaves a sign of life in the store, so that time in which no desk ran is not held against anybody (see signLife). */
  keepPresence: () => Promise<void>
  /** Does nothing, save in tests, which stop or kill the process here. */
  step: (name: Step) => Promise<void>
  /** For the operator's log: what happened, with facts that hold no secret. */
  report: (event: string, facts: Record<string, unknown>) => void
}

/** Who asks. */
export type Actor = { userId: string; email: string; sessionId: string }
