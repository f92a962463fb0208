import * as z from 'zod'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import type { CancellationView, SeenPayment } from './cancellation'
import { type Filter, filterFields } from '@/lib/api-contract/filter'
import { filterRequest } from '../lists/filter-request'
import { cancellationInput } from '@/lib/api-contract/payments'
import * as words from '@/lib/api-contract/words/requests'

/*
 * The desk's own requests about bulk cancellations (`/api/desk/bulk`): what the browser sends and what it
 * is told. Not part of the service's interface.
 */

/** Where a list comes from. */
export type BulkSource =
  /** Ids or handles that were pasted or uploaded, or rows that were selected. */
  | { kind: 'list'; name: string | null }
  /** All payments that match a filter, walked by the server. */
  | { kind: 'filter'; filter: Filter | null; words: string }

/**
 * `preparing`: the list is read. `ready`: it can be confirmed. `failed`: it could not be made. `starting`: it was
 * confirmed, and nothing of it is sent before the intents of all its payments are written. `running`, `paused`: they
 * are. `stopped`, `finished`: nothing of it is sent any more.
 */
export type BulkState = 'preparing' | 'ready' | 'failed' | 'starting' | 'running' | 'paused' | 'stopped' | 'finished'

/** What can become of a row. Only `cancellable` rows are part of what is confirmed. */
export type BulkVerdict =
  | 'cancellable'
  | 'already-cancelled'
  | 'too-late'
  | 'not-cancellable'
  /** Somebody's cancellation of it is open. */
  | 'in-hand'
  /** No payment of the merchant has this id or handle. */
  | 'unknown'
  /** It cannot be an id or a handle. */
  | 'malformed'
  /** The same payment stands further up. */
  | 'duplicate'

/** What people recognise a payment by. */
export type BulkPaymentInfo = {
  reference: string | null
  payer: string | null
  scheme: string | null
  scheduleDate: string | null
  test: boolean | null
}

/** Live, test, or the service did not say. */
export type BulkMode = 'live' | 'test' | 'unsaid'

/** Count and sum of the payments of one currency and mode. `sum` is a plain decimal in the service's unit; null when an amount cannot be added. */
export type BulkSum = { mode: BulkMode; currency: string | null; count: number; sum: string | null }

const reasonText = cancellationInput.shape.text

const field = z.string().refine((name) => Object.hasOwn(filterFields.listPayments, name), words.isNoFieldOfPayments)

/** Body of POST /api/desk/bulk. */
export const bulkRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('list'),
    /** The name of the file it came from, or what its first payments are called. */
    name: z.string().trim().max(200).nullable(),
    /** An id or a handle, and the reason for this one alone; duplicates and senseless ones are told, not refused. */
    rows: z
      .array(z.strictObject({ given: z.string().max(500), reason: reasonText.nullable() }))
      .min(1, words.mustHaveARow)
      .max(MAX_BULK_PAYMENTS, words.mustHaveAtMostRows(MAX_BULK_PAYMENTS)),
  }),
  z.strictObject({
    kind: z.literal('filter'),
    filter: filterRequest(field).nullable(),
    /** The filter in words, for people. */
    words: z.string().trim().max(300),
  }),
])
export type BulkRequest = z.output<typeof bulkRequest>

/** Body of POST /api/desk/bulk/{bulkId}/start: what the user confirmed, which must be what the server keeps. */
export const bulkConfirmation = z.strictObject({
  count: z.int().min(1).max(MAX_BULK_PAYMENTS),
  digest: z.string().regex(/^[0-9a-f]{64}$/u, words.mustBeASha256),
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
  /** For all rows, whatever came with the list; null when each has its own. */
  reason: reasonText.nullable(),
  /** Reasons by the position of their row, in place of those that came with the list. */
  reasons: z.record(z.string().regex(/^\d{1,5}$/u), reasonText).optional(),
})
export type BulkConfirmation = z.output<typeof bulkConfirmation>

/** Body of POST /api/desk/bulk/{bulkId}. */
export const bulkChange = z.strictObject({ action: z.enum(['pause', 'resume', 'stop']) })
export type BulkAction = z.output<typeof bulkChange>['action']

/** Why nothing is sent at this moment although the bulk runs. */
export type BulkWait = { code: string; until: string | null }

/** How many rows stand where. `unsent` and `left` are not outcomes: not sent yet, and left to somebody else's cancellation. */
export type BulkCounts = Record<CancellationView['outcome'] | 'unsent' | 'left', number>

/** A bulk as the browser is told. Moments are ISO 8601 in UTC. */
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
  /** Payments read so far while the list is made. */
  read: number
  count: number
  sums: BulkSum[]
  digest: string | null
  counts: BulkCounts
  /** Payments whose intent is written, or that were left to somebody else's cancellation: all of them once it runs. */
  written: number
  /** Rows that the service has accepted or that have ended: never fewer than told before. */
  settled: number
}

/** Reply of GET /api/desk/bulk. */
export type BulkList = { bulks: BulkView[] }

/** A row of the list before it is confirmed. */
export type BulkListRow = {
  position: number
  given: string
  paymentId: string | null
  verdict: BulkVerdict
  seen: SeenPayment | null
  facts: BulkPaymentInfo | null
  reason: string | null
}

/** A row of a bulk that was confirmed. `unsent` and `left` as in BulkCounts. */
export type BulkResultRow = BulkListRow & {
  outcome: keyof BulkCounts
  why: CancellationView['reason']
  detail: string | null
  cancellationId: string | null
  leftTo: string | null
  closed: boolean
}

/**
 * Reply of GET /api/desk/bulk/{bulkId}/rows: some rows in their order; `next` is the position to go on from.
 * With `since`, those rows that changed after that moment; `asOf` is the `since` of the next question.
 */
export type BulkRows = { rows: BulkResultRow[]; next: number | null; asOf: string }
