import type { Difference } from '@/lib/contract/cancellation'

/** What the service answered to the request that cancels, in its own words where it had any. */
export type ReplyEvidence = {
  status: number
  type?: string
  title?: string
  detail?: string
  instance?: string
  traceId?: string
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
  /** Whether the payment was read before it was sent, or sent on the user's second word. */
  guard?: 'read' | 'unread'
  reply?: ReplyEvidence
  /** The failure's code, where no reply could be read. */
  failure?: string
  read?: ReadEvidence
  difference?: Difference
}
