import * as z from 'zod'
import { segment } from '@/lib/api-contract/path-segment'
import { cancellationInput, type Payment } from '@/lib/api-contract/payments'
import { amount, text } from '@/lib/api-contract/tolerant'

/*
 * The desk's own requests about cancellations (`/api/desk/cancellations`): what the browser sends and
 * what it is told. Not part of the service's interface.
 */

/** What the user saw when deciding to cancel; compared with a fresh read before anything is sent. */
export const seenPayment = z.strictObject({ amount, currency: text, status: text, modifiedAt: text })
export type SeenPayment = z.output<typeof seenPayment>

/** Body of POST /api/desk/cancellations. */
export const cancellationRequest = z.strictObject({
  /**
   * Minted when the dialog opens; the same key is the same cancellation, however often it is sent. Every
   * 409 below but `in-flight` has closed the cancellation: to ask again is a new key.
   */
  key: z.uuid(),
  paymentId: segment,
  reason: cancellationInput.shape.text,
  seen: seenPayment,
  /** The user's second, explicit word when the payment could not be read again. */
  unread: z.boolean().optional(),
})
export type CancellationRequest = z.output<typeof cancellationRequest>

/** Body of POST /api/desk/cancellations/{cancellationId}/handled. */
export const handledRequest = z.strictObject({ note: cancellationInput.shape.text })

/** The six things a user can be told; also the values of `data-outcome`. */
export const outcomes = ['sending', 'requested', 'cancelled', 'not-cancelled', 'unknown', 'needs-person'] as const
export type Outcome = (typeof outcomes)[number]

/** Why a cancellation ended as it did, for words in the browser. */
export type OutcomeReason =
  /** Sending: the service asked to slow down; the same cancellation is sent when it allows. */
  | 'slow-down'
  /** Sending: it is part of a bulk and waits for its turn there; nothing was sent yet. */
  | 'in-bulk'
  /** Open: the service is asked with the token of whoever asked for it, and they are not signed in. */
  | 'owner-signed-out'
  /** Not cancelled: nothing reached the service. */
  | 'not-sent'
  /** Not cancelled: its bulk was stopped before it was its turn. */
  | 'stopped'
  | 'refused'
  | 'too-late'
  | 'already-cancelled'
  /** Not cancelled: in a state that is not among those that may be cancelled; `detail` names it. */
  | 'not-cancellable'
  | 'service-declined'
  | 'changed'
  | 'unreadable'
  | 'absent'
  | 'past-payment-date'
  /** Needs a person: the service can be read but has shown no end in time. */
  | 'unconfirmed'

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
  /** What a person's later look showed, of one that needs a person; `status` is the payment's state. What is closed stays closed. */
  checked: { at: string; by: string; kind: 'found' | 'absent' | 'unreadable'; status: string | null } | null
  /** Who dealt with one that needs a person, and what they noted. */
  handled: { at: string; by: string; note: string } | null
}

/** A field of which the service says something else than the user saw. */
export type Difference = Partial<
  Record<keyof SeenPayment, { seen: string | number | null; now: string | number | null }>
>

/**
 * The further members of the problem records of 409. `conflict`: `cancellation` is the open one of somebody
 * else. `changed-since-seen`: `difference`, `payment` as it is now, and `cancellation`, which says whether it
 * is too late (`too-late`), already cancelled (`already-cancelled`) or can be asked again (`changed`).
 * `not-cancellable`: `payment` and `cancellation`; it was as the user saw it, and cannot be cancelled.
 * `confirmation-needed`: `cancellation`; ask again with a new key and `unread: true`.
 */
export type CancellationConflict = { cancellation: CancellationView; difference?: Difference; payment?: Payment }

/** Reply of GET /api/desk/cancellations: those of each payment asked for that may count, or what is not settled. */
export type CancellationList = { cancellations: CancellationView[] }
