import * as z from 'zod'
import { segment } from '@/lib/api-contract/path-segment'
import { cancellationInput, type Payment } from '@/lib/api-contract/payments'
import { amount, text } from '@/lib/api-contract/tolerant'

/*
 * Requests and replies of the desk's own cancellation routes (`/api/desk/cancellations`). Not part of the upstream API.
 */

/** What the user saw when deciding to cancel. Compared with a fresh read before anything is sent. */
export const seenPayment = z.strictObject({ amount, currency: text, status: text, modifiedAt: text })
export type SeenPayment = z.output<typeof seenPayment>

/** Body of POST /api/desk/cancellations. */
export const cancellationRequest = z.strictObject({
  /**
   * Created when the dialog opens: requests with the same key are the same cancellation. Every 409 below except
   * `in-flight` has closed the cancellation, so a retry needs a new key.
   */
  key: z.uuid(),
  paymentId: segment,
  reason: cancellationInput.shape.text,
  seen: seenPayment,
  /** The user confirmed explicitly although the payment could not be read again. */
  unread: z.boolean().optional(),
})
export type CancellationRequest = z.output<typeof cancellationRequest>

/** Body of POST /api/desk/cancellations/{cancellationId}/handled. */
export const handledRequest = z.strictObject({ note: cancellationInput.shape.text })

/** Also the values of `data-outcome`. */
export const outcomes = ['sending', 'requested', 'cancelled', 'not-cancelled', 'unknown', 'needs-person'] as const
export type Outcome = (typeof outcomes)[number]

/** Why a cancellation has its outcome; the browser chooses its message by it. */
export type OutcomeReason =
  /** Sending: the service asked to slow down; the request is sent when it allows. */
  | 'slow-down'
  /** Sending: waits for its turn in a bulk; nothing was sent yet. */
  | 'in-bulk'
  /** Open: requests use the token of the user who asked for it, who is not signed in. */
  | 'owner-signed-out'
  /** Unknown: the service declined the request, in the words of `detail`, which is yet to be confirmed by reading the payment. */
  | 'declined'
  /** Not cancelled: the service asked to wait for longer than an outcome may stay open. */
  | 'asked-to-wait'
  /** Not cancelled: nothing reached the service. */
  | 'not-sent'
  /** Not cancelled: its bulk was stopped before its turn. */
  | 'stopped'
  /** Queued in a bulk, or not cancelled as that was stopped: of a restored backup, so it may have been sent since. */
  | 'restored'
  | 'refused'
  | 'too-late'
  | 'already-cancelled'
  /** Not cancelled: the payment's state, named in `detail`, is not cancellable. */
  | 'not-cancellable'
  | 'service-declined'
  | 'changed'
  | 'unreadable'
  | 'absent'
  /** Not cancelled: a request did not get through, and before the next one the payment could not be read, or found. */
  | 'unread-since-sent'
  | 'past-payment-date'
  /** Needs a person: the service can be read but has shown no result in time; `detail` is the payment's state. */
  | 'unconfirmed'
  /** Needs a person: the service accepted the request, but still shows the payment as cancellable; `detail` is its state. */
  | 'still-cancellable'
  /** As `unconfirmed`, for a request that the service declined, in the words of `detail`. */
  | 'declined-unconfirmed'

/** A cancellation as sent to the browser. Timestamps are ISO 8601 in UTC. */
export type CancellationView = {
  id: string
  paymentId: string
  /** The payment's reference or handle; null until it was read. */
  named: string | null
  /** What the user saw when deciding; null if not submitted, until the payment was read. */
  seen: Pick<SeenPayment, 'amount' | 'currency'> | null
  outcome: Outcome
  /** Whether it is final, short of manual handling. */
  closed: boolean
  reason: OutcomeReason | null
  /** The service's own text or the state that was read, at most 300 characters. */
  detail: string | null
  /** The reason the user gave. */
  text: string
  requestedBy: string
  requestedAt: string
  closedAt: string | null
  /** A later manual check of one that needs a person; `status` is the payment's state. It does not change the outcome. */
  checked: { at: string; by: string; kind: 'found' | 'absent' | 'unreadable'; status: string | null } | null
  /** Who handled one that needs a person, and their note. */
  handled: { at: string; by: string; note: string } | null
}

/** The fields that have changed since the user saw the payment. */
export type Difference = Partial<
  Record<keyof SeenPayment, { seen: string | number | null; now: string | number | null }>
>

/**
 * Extension members of the 409 problem records, by type:
 * - `conflict`: `cancellation` is somebody else's open one.
 * - `changed-since-seen`: `difference`, the current `payment`, and `cancellation`, whose reason is `too-late`,
 *   `already-cancelled` or `changed` (can be requested again).
 * - `not-cancellable`: `payment` and `cancellation`; the payment is as the user saw it and cannot be cancelled.
 * - `confirmation-needed`: `cancellation`; request again with a new key and `unread: true`.
 */
export type CancellationConflict = { cancellation: CancellationView; difference?: Difference; payment?: Payment }

/** Reply of GET /api/desk/cancellations: the relevant cancellations of the given payments, or all unsettled ones. */
export type CancellationList = { cancellations: CancellationView[] }
