import * as z from 'zod'
import { segment } from './path-segment'
import { amount, text } from './tolerant'
import { cancellationInput } from './payments'

/*
 * The desk's own requests about cancellations (`/api/desk/cancellations`): what the browser sends and
 * what it is told. Not part of the service's interface.
 */

/** What the user saw when deciding to cancel; compared with a fresh read before anything is sent. */
export const seenPayment = z.strictObject({ amount, currency: text, status: text, modifiedAt: text })
export type SeenPayment = z.output<typeof seenPayment>

/** Body of POST /api/desk/cancellations. */
export const cancellationRequest = z.strictObject({
  /** Minted when the dialog opens; the same key is the same cancellation, however often it is sent. */
  key: z.uuid(),
  paymentId: segment,
  reason: cancellationInput.shape.text,
  seen: seenPayment,
  /** The user's second, explicit word when the payment could not be read again. */
  unread: z.boolean().optional(),
})
export type CancellationRequest = z.output<typeof cancellationRequest>

/** The six things a user can be told; also the values of `data-outcome`. */
export const outcomes = ['sending', 'requested', 'cancelled', 'not-cancelled', 'unknown', 'needs-person'] as const
export type Outcome = (typeof outcomes)[number]

/** Why a cancellation ended as it did, for words in the browser. */
export type OutcomeReason =
  | 'not-sent'
  | 'refused'
  | 'too-late'
  | 'already-cancelled'
  | 'service-declined'
  | 'changed'
  | 'unreadable'
  | 'absent'
  | 'past-payment-date'

/** One cancellation as the browser is told. Moments are ISO 8601 in UTC. */
export type CancellationView = {
  id: string
  paymentId: string
  outcome: Outcome
  /** True once it will not change any more by itself. */
  closed: boolean
  reason: OutcomeReason | null
  /** The service's own words or the state that was read, at most 300 characters. */
  detail: string | null
  /** The text the user gave. */
  text: string
  requestedBy: string
  requestedAt: string
  closedAt: string | null
}
