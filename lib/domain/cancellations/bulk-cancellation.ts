import * as z from 'zod'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import type { CancellationView, SeenPayment } from './cancellation'
import type { Filter } from '@/lib/api-contract/filter'
import { filterRequest, isFieldOfList } from '../lists/filter-request'
import { cancellationInput } from '@/lib/api-contract/payments'
import * as m from '@/lib/messages/m'

/*
 * Requests and replies of the desk's own bulk cancellation routes (`/api/desk/bulk`). Not part of the upstream API.
 */

/** The first named payments of a list, and how many others it has. Names are whole: erasing a person finds whole words. */
export type PaymentNames = { first: string[]; others: number }

/** Where the list of payments comes from. */
export type BulkSource =
  /** Pasted or uploaded ids or handles, or selected rows. Without a name of its own, a list is called by its payments. */
  | { kind: 'list'; name: string | null; payments?: PaymentNames }
  /** All payments that match a filter; the server pages through them. */
  | { kind: 'filter'; filter: Filter | null; words: string }

/**
 * `preparing`: the payments are being read. `ready`: awaits confirmation. `failed`: the list could not be prepared.
 * `awaiting`: confirmed, and a second person is to approve it; `declined`: nobody did, `problem` says why. `starting`: confirmed; nothing is sent before the intents of all payments are stored. `running`, `paused`: they are
 * stored. `stopped`, `finished`: nothing is sent any more.
 */
export type BulkState =
  | 'preparing'
  | 'ready'
  | 'failed'
  | 'awaiting'
  | 'declined'
  | 'starting'
  | 'running'
  | 'paused'
  | 'stopped'
  | 'finished'

/** A request to a second person: until when it can be approved, and who decided on it. */
export type BulkApproval = {
  requestedAt: string
  expiresAt: string
  decidedAt: string | null
  decidedBy: string | null
  /** Why it was declined. */
  note: string | null
}

/** Whether a row can be cancelled. Only `cancellable` rows are confirmed. */
export type BulkVerdict =
  | 'cancellable'
  | 'already-cancelled'
  | 'too-late'
  | 'not-cancellable'
  /** A cancellation of it is already open. */
  | 'in-hand'
  /** No payment of the merchant has this id, handle or reference. */
  | 'unknown'
  /** It cannot be an id or a handle. */
  | 'malformed'
  /** A payment whose id cannot be stored. */
  | 'unstorable'
  /** The same payment is in an earlier row. */
  | 'duplicate'
  /** Several payments have this handle or reference. */
  | 'ambiguous'
  /** It could be cancelled, but was taken out of the list. */
  | 'left-out'

/** Details by which people recognise a payment. */
export type BulkPaymentInfo = {
  reference: string | null
  payer: string | null
  scheme: string | null
  scheduleDate: string | null
  test: boolean | null
}

/** `unsaid`: the service did not say whether the payment is live or test. */
export type BulkMode = 'live' | 'test' | 'unsaid'

/** Total of one currency and mode. `sum` is a plain decimal in the service's unit; null when an amount cannot be added. */
export type BulkSum = { mode: BulkMode; currency: string | null; count: number; sum: string | null }

const reasonText = cancellationInput.shape.text

const field = z.string().refine((name) => isFieldOfList('listPayments', name), {
  error: ({ input }) => m.requestRules_namesNoFieldOfList({ field: String(input) }),
})

/** Body of POST /api/desk/bulk. */
export const bulkRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('list'),
    /** The uploaded file's name; null: the list is called by its payments. */
    name: z.string().trim().max(200).nullable(),
    /** An id or handle, and a reason for this payment alone. Duplicate and malformed rows are reported, not refused. */
    rows: z
      .array(z.strictObject({ given: z.string().max(500), reason: reasonText.nullable() }))
      .min(1, { error: m.requestRules_mustHaveARow })
      .max(MAX_BULK_PAYMENTS, { error: () => m.requestRules_mustHaveAtMostRows({ rows: MAX_BULK_PAYMENTS }) }),
  }),
  z.strictObject({
    kind: z.literal('filter'),
    filter: filterRequest(field).nullable(),
    /** A description of the filter, for people. */
    words: z.string().trim().max(300),
  }),
])
export type BulkRequest = z.output<typeof bulkRequest>

/** Body of POST /api/desk/bulk/{bulkId}/start: what the user confirmed, which must equal what the server stored. */
export const bulkConfirmation = z.strictObject({
  count: z.int().min(1).max(MAX_BULK_PAYMENTS),
  digest: z.string().regex(/^[0-9a-f]{64}$/u, { error: m.requestRules_mustBeASha256 }),
  sums: z
    .array(
      z.strictObject({
        mode: z.enum(['live', 'test', 'unsaid']),
        currency: z.string().nullable(),
        count: z.int(),
        sum: z.string().nullable(),
      }),
    )
    .max(100),
  /** For all rows, overriding those of the list; null when each row has its own. */
  reason: reasonText.nullable(),
  /** Reasons by row position, overriding those of the list. */
  reasons: z.record(z.string().regex(/^\d{1,5}$/u), reasonText).optional(),
})
export type BulkConfirmation = z.output<typeof bulkConfirmation>

/** Body of PATCH /api/desk/bulk/{bulkId}/rows: takes a row out of a list, or back in, before it is started. */
export const bulkRowChange = z.strictObject({
  position: z.int().min(0).max(MAX_BULK_PAYMENTS),
  isLeftOut: z.boolean(),
})
export type BulkRowChange = z.output<typeof bulkRowChange>

/** Body of POST /api/desk/bulk/{bulkId}. */
export const bulkChange = z.strictObject({ action: z.enum(['pause', 'resume', 'stop']) })
export type BulkAction = z.output<typeof bulkChange>['action']

/** Why a running bulk sends nothing at the moment. */
export type BulkWait = { code: string; until: string | null }

/** Rows by outcome. Two more are no outcomes: `unsent`, not sent yet, and `left`, left to somebody else's cancellation. */
export type BulkCounts = Record<CancellationView['outcome'] | 'unsent' | 'left', number>

/** A bulk cancellation as sent to the browser. Timestamps are ISO 8601 in UTC. */
export type BulkView = {
  id: string
  state: BulkState
  problem: string | null
  wait: BulkWait | null
  source: BulkSource
  requestedBy: string
  createdAt: string
  startedAt: string | null
  endedAt: string | null
  /** Null if no second person was asked. */
  approval: BulkApproval | null
  /** Payments read so far while preparing. */
  read: number
  count: number
  sums: BulkSum[]
  digest: string | null
  counts: BulkCounts
  /** Payments whose intent is stored or that were left to somebody else's cancellation: all of them once it runs. */
  written: number
  /** Rows that the service accepted or that have ended. Never decreases. */
  settled: number
}

/** Reply of GET /api/desk/bulk. */
export type BulkList = { bulks: BulkView[] }

/** A row before confirmation. */
export type BulkListRow = {
  position: number
  given: string
  paymentId: string | null
  verdict: BulkVerdict
  seen: SeenPayment | null
  facts: BulkPaymentInfo | null
  reason: string | null
}

/** A row after confirmation. `unsent` and `left` as in BulkCounts. */
export type BulkResultRow = BulkListRow & {
  outcome: keyof BulkCounts
  why: CancellationView['reason']
  detail: string | null
  cancellationId: string | null
  leftTo: string | null
  closed: boolean
}

/**
 * Reply of GET /api/desk/bulk/{bulkId}/rows: a page of rows in order; `next` is the position of the next page. With
 * `since`, only rows changed after that time; `asOf` is the `since` of the next request.
 */
export type BulkRows = { rows: BulkResultRow[]; next: number | null; asOf: string }
