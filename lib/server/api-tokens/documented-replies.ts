import * as z from 'zod'
import type { BulkList, BulkResultRow, BulkRows, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { type CancellationList, type CancellationView, outcomes } from '@/lib/domain/cancellations/cancellation'
import type { ListExportView } from '@/lib/domain/lists/list-export'

/*
 * The replies of the desk's own routes that accept tokens, for the OpenAPI document. The types say that nothing is missing;
 * a test compares them with what the routes answer. Names of states are open: more may be added.
 */

const timestamp = z.iso.datetime()
const seen = z.object({
  amount: z.union([z.number(), z.string()]).nullable(),
  currency: z.string().nullable(),
  status: z.string().nullable(),
  modifiedAt: z.string().nullable(),
})

const cancellation = z.object({
  id: z.uuid(),
  paymentId: z.string(),
  named: z.string().nullable().describe('The payment’s reference or handle, once it was read.'),
  seen: seen.pick({ amount: true, currency: true }).nullable(),
  outcome: z.enum(outcomes).describe('Only `cancelled` means that it is: `requested` is accepted and not known yet.'),
  closed: z.boolean().describe('Whether the outcome is final.'),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  text: z.string(),
  requestedBy: z.string(),
  requestedAt: timestamp,
  closedAt: timestamp.nullable(),
  checked: z
    .object({
      at: timestamp,
      by: z.string(),
      kind: z.enum(['found', 'absent', 'unreadable']),
      status: z.string().nullable(),
    })
    .nullable(),
  handled: z.object({ at: timestamp, by: z.string(), note: z.string() }).nullable(),
})

const sum = z.object({
  mode: z.enum(['live', 'test', 'unsaid']),
  currency: z.string().nullable(),
  count: z.int(),
  sum: z.string().nullable(),
})
const count = z.int()

const bulk = z.object({
  id: z.uuid(),
  state: z
    .enum([
      'preparing',
      'ready',
      'failed',
      'awaiting',
      'declined',
      'starting',
      'running',
      'paused',
      'stopped',
      'finished',
    ])
    .describe('`ready` awaits its start; `awaiting` a second person, who decides on the page.'),
  problem: z.string().nullable(),
  wait: z.object({ code: z.string(), until: z.string().nullable() }).nullable(),
  source: z.looseObject({ kind: z.enum(['list', 'filter']) }),
  requestedBy: z.string(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  approval: z
    .object({
      requestedAt: timestamp,
      expiresAt: timestamp,
      decidedAt: timestamp.nullable(),
      decidedBy: z.string().nullable(),
      note: z.string().nullable(),
    })
    .nullable(),
  read: count,
  count: count.describe('How many payments can be cancelled.'),
  sums: z.array(sum),
  digest: z.string().nullable().describe('What to send back to start exactly this list.'),
  counts: z.record(z.string(), count).describe('Rows by outcome; `unsent` and `left` beside those of a cancellation.'),
  written: count,
  settled: count,
})

const bulkRow = z.object({
  position: count,
  given: z.string(),
  paymentId: z.string().nullable(),
  verdict: z.string(),
  seen: seen.nullable(),
  facts: z
    .object({
      reference: z.string().nullable(),
      payer: z.string().nullable(),
      scheme: z.string().nullable(),
      scheduleDate: z.string().nullable(),
      test: z.boolean().nullable(),
    })
    .nullable(),
  reason: z.string().nullable(),
  outcome: z.string(),
  why: z.string().nullable(),
  detail: z.string().nullable(),
  cancellationId: z.uuid().nullable(),
  leftTo: z.string().nullable(),
  closed: z.boolean(),
})

const listExport = z.object({
  exportId: z.uuid(),
  list: z.enum(['listPayments', 'listCustomers', 'listMandates']),
  filters: z.record(z.string(), z.string()),
  state: z.enum(['running', 'complete', 'stopped']).describe('The file can be fetched unless it is running.'),
  reason: z.string().nullable(),
  isEnding: z.boolean().describe('Stopped by its person, and its file and sha256 follow.'),
  mayResume: z.boolean(),
  goesOn: z.boolean().describe('It is resumed without being asked, unless it is stopped.'),
  rows: count,
  leftOut: count,
  unreadable: count,
  sums: z.array(
    z.object({
      currency: z.string(),
      mode: z.enum(['live', 'test', 'not said']),
      count,
      minor: z.string().nullable(),
    }),
  ),
  bytes: count,
  sha256: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
})

/** Guarantee at compile time: each type of a reply fits its schema, so that no member is forgotten or mistyped. */
type Fits<Reply extends z.input<Schema>, Schema extends z.ZodType> = [Reply, Schema]
export type DocumentedTypes = [
  Fits<CancellationView, typeof cancellation>,
  Fits<BulkView, typeof bulk>,
  Fits<BulkResultRow, typeof bulkRow>,
]

export const deskReplies = {
  Cancellation: cancellation,
  CancellationList: z.object({ cancellations: z.array(cancellation) }) satisfies z.ZodType<
    Record<keyof CancellationList, unknown>
  >,
  Bulk: bulk,
  BulkList: z.object({ bulks: z.array(bulk) }) satisfies z.ZodType<Record<keyof BulkList, unknown>>,
  BulkRows: z.object({
    rows: z.array(bulkRow),
    next: count.nullable(),
    asOf: timestamp,
  }) satisfies z.ZodType<Record<keyof BulkRows, unknown>>,
  Export: listExport satisfies z.ZodType<Record<keyof ListExportView, unknown>>,
  ExportList: z.object({ exports: z.array(listExport) }),
  Problem: z.looseObject({
    type: z.string().describe('Its last segment is a code that stays; the texts do not.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string().optional().describe('The request’s id, which is also in the log.'),
    errors: z.record(z.string(), z.array(z.string())).optional().describe('Messages by field.'),
    retryAfter: z.int().optional(),
  }),
} as const

export type DeskReplyName = keyof typeof deskReplies
