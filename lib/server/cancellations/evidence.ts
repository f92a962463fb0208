import type { Difference } from '@/lib/contract/cancellation'

/** What the service answered to the request that cancels, in its own words where it had any. */
export type ReplyEvidence = {
  status: number
  type?: string
  title?: string
  detail?: string
  instance?: string
  traceId?: string
  /** Of a 2xx: the reason as the service says that it has received it. */
  text?: string
}

/** What a read of the payment showed. `why` says what made it unreadable. */
export type ReadEvidence = {
  kind: 'found' | 'absent' | 'unreadable'
  status?: string
  modifiedAt?: string
  why?: string
}

/** The facts behind a cancellation's state; kept beside it and in the activity log. */
export type Evidence = {
  /** What people call the payment: its reference or its handle, as it was read before it was sent. */
  named?: string
  /** Whether the payment was read before it was sent, or sent on the user's second word. */
  guard?: 'read' | 'unread'
  reply?: ReplyEvidence
  /** The failure's code, where no reply could be read. */
  failure?: string
  read?: ReadEvidence
  difference?: Difference
  /** It took effect, but the service says that it got another reason than was sent: somebody on the way drops bodies. */
  warning?: 'reason-not-delivered'
}

/** What the service showed when a person had it asked again; `by` is an e-mail, `at` ISO 8601 in UTC. */
export type CheckedFacts = ReadEvidence & { at: string; by: string }

/** Who dealt with what the desk could not settle by itself, and what they found; `by` is an e-mail, `at` ISO 8601 in UTC. */
export type HandledFacts = { at: string; by: string; userId: string; note: string }
