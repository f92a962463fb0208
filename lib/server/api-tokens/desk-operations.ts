import * as z from 'zod'
import type { Permission } from '@/lib/api-contract/permission'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { bulkChange, bulkConfirmation, bulkRequest, bulkRowChange } from '@/lib/domain/cancellations/bulk-cancellation'
import { cancellationRequest } from '@/lib/domain/cancellations/cancellation'
import { listExportChange, listExportRequest } from '../exports/schema'
import type { DeskReplyName } from './documented-replies'

/** A route of the desk's own that accepts tokens. A test compares them with the declarations of the routes. */
export type DeskOperation = {
  id: string
  method: 'get' | 'post' | 'patch' | 'delete'
  /** After `/api/desk`. */
  path: `/${string}`
  summary: string
  permission: Permission
  params?: Record<string, z.ZodType>
  query?: Record<string, z.ZodType>
  body?: z.ZodType
  /** Whether it takes an Idempotency-Key. */
  takesKey?: true
  reply: { status: 200 | 202 | 204; holds: DeskReplyName | 'csv' | 'json' | null }
}

const ofBulk = { params: { bulkId: uuidSegment } }
const ofExport = { params: { exportId: uuidSegment } }
const ofCancellation = { params: { cancellationId: uuidSegment } }

export const deskOperations: readonly DeskOperation[] = [
  {
    id: 'listCancellations',
    method: 'get',
    path: '/cancellations',
    summary: 'The cancellations of up to 100 payments, or with `open=1` all that are not known yet.',
    permission: 'read',
    query: { paymentId: z.array(z.string()), open: z.literal('1') },
    reply: { status: 200, holds: 'CancellationList' },
  },
  {
    id: 'requestCancellation',
    method: 'post',
    path: '/cancellations',
    summary:
      'Cancels a payment if it is still as `seen`. `key` takes the place of an Idempotency-Key. `DELETE /api/service/Payments/{paymentId}` does the same for whoever has not seen it.',
    permission: 'cancel',
    body: cancellationRequest,
    reply: { status: 202, holds: 'Cancellation' },
  },
  {
    id: 'getCancellation',
    method: 'get',
    path: '/cancellations/{cancellationId}',
    summary: 'A cancellation as it is now.',
    permission: 'read',
    ...ofCancellation,
    reply: { status: 200, holds: 'Cancellation' },
  },
  {
    id: 'checkCancellation',
    method: 'post',
    path: '/cancellations/{cancellationId}/check',
    summary: 'Reads the payment of a cancellation that needs a person again.',
    permission: 'cancel',
    ...ofCancellation,
    reply: { status: 200, holds: 'Cancellation' },
  },
  {
    id: 'listBulks',
    method: 'get',
    path: '/bulk',
    summary: 'The latest bulk cancellations.',
    permission: 'read',
    reply: { status: 200, holds: 'BulkList' },
  },
  {
    id: 'makeBulk',
    method: 'post',
    path: '/bulk',
    summary: 'Makes the list of a bulk cancellation. Nothing is cancelled before it is started.',
    permission: 'cancel',
    body: bulkRequest,
    takesKey: true,
    reply: { status: 202, holds: 'Bulk' },
  },
  {
    id: 'getBulk',
    method: 'get',
    path: '/bulk/{bulkId}',
    summary: 'A bulk cancellation as it is now.',
    permission: 'read',
    ...ofBulk,
    reply: { status: 200, holds: 'Bulk' },
  },
  {
    id: 'changeBulk',
    method: 'post',
    path: '/bulk/{bulkId}',
    summary: 'Pauses, resumes or stops a bulk cancellation, from its next payment on.',
    permission: 'cancel',
    ...ofBulk,
    body: bulkChange,
    reply: { status: 200, holds: 'Bulk' },
  },
  {
    id: 'discardBulk',
    method: 'delete',
    path: '/bulk/{bulkId}',
    summary: 'Discards a list of one’s own that was never started.',
    permission: 'cancel',
    ...ofBulk,
    reply: { status: 204, holds: null },
  },
  {
    id: 'startBulk',
    method: 'post',
    path: '/bulk/{bulkId}/start',
    summary:
      'Starts exactly the list whose count, sums and digest are sent back. Starting it again with the same reasons changes nothing. Where a second person must approve it, its state is `awaiting` then.',
    permission: 'cancel',
    ...ofBulk,
    body: bulkConfirmation,
    reply: { status: 202, holds: 'Bulk' },
  },
  {
    id: 'listBulkRows',
    method: 'get',
    path: '/bulk/{bulkId}/rows',
    summary: 'Rows of a bulk cancellation from a position on, or those changed since a time.',
    permission: 'read',
    ...ofBulk,
    query: { from: z.string(), since: z.iso.datetime() },
    reply: { status: 200, holds: 'BulkRows' },
  },
  {
    id: 'changeBulkRow',
    method: 'patch',
    path: '/bulk/{bulkId}/rows',
    summary: 'Takes a row out of a list of one’s own, or back in, before it is started.',
    permission: 'cancel',
    ...ofBulk,
    body: bulkRowChange,
    reply: { status: 200, holds: 'Bulk' },
  },
  {
    id: 'getBulkResult',
    method: 'get',
    path: '/bulk/{bulkId}/result',
    summary: 'The outcomes of a bulk cancellation.',
    permission: 'read',
    ...ofBulk,
    reply: { status: 200, holds: 'csv' },
  },
  {
    id: 'listExports',
    method: 'get',
    path: '/exports',
    summary: 'The person’s own exports that are kept, newest first.',
    permission: 'export',
    reply: { status: 200, holds: 'ExportList' },
  },
  {
    id: 'startExport',
    method: 'post',
    path: '/exports',
    summary: 'Starts an export; one at a time per person. Without `asked` and `rest` it holds the whole list.',
    permission: 'export',
    body: listExportRequest,
    reply: { status: 202, holds: 'Export' },
  },
  {
    id: 'getExport',
    method: 'get',
    path: '/exports/{exportId}',
    summary: 'An export as it is now.',
    permission: 'export',
    ...ofExport,
    reply: { status: 200, holds: 'Export' },
  },
  {
    id: 'changeExport',
    method: 'post',
    path: '/exports/{exportId}',
    summary: 'Stops or resumes an export. Resuming answers 202.',
    permission: 'export',
    ...ofExport,
    body: listExportChange,
    reply: { status: 200, holds: 'Export' },
  },
  {
    id: 'getExportFile',
    method: 'get',
    path: '/exports/{exportId}/file',
    summary: 'The file of an export that has ended. Each download is logged.',
    permission: 'export',
    ...ofExport,
    reply: { status: 200, holds: 'csv' },
  },
  {
    id: 'getExportStatement',
    method: 'get',
    path: '/exports/{exportId}/statement',
    summary: 'What an export holds: its filters, counts, sums and hash.',
    permission: 'export',
    ...ofExport,
    reply: { status: 200, holds: 'json' },
  },
  {
    id: 'getDescription',
    method: 'get',
    path: '/openapi/scripts',
    summary: 'This document.',
    permission: 'account',
    reply: { status: 200, holds: 'json' },
  },
]
