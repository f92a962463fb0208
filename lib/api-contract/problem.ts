import * as z from 'zod'
import { record, text } from './tolerant'

/**
 * The problem record (docs/upstream-api.md, section 2; RFC 9457), read tolerantly: any member may be missing or of
 * another type. `errors` and `traceId` are extensions that deployments add; `status` is not read, the HTTP status wins.
 */
export const problemRecord = record(
  {
    type: text,
    title: text,
    detail: text,
    instance: text,
    traceId: text,
    errors: z.unknown().optional(),
  },
  ['message', 'error', 'details'],
)

/** A problem record as we write it: media type `application/problem+json`. */
export type Problem = {
  type: string
  title: string
  status: number
  detail?: string
  instance?: string
  traceId?: string
  /** Messages per field, keyed by the field's name. */
  errors?: Record<string, string[]>
}

/** A failure as a page is handed it by the server, which read in its place. */
export type SerializedFailure = {
  status: number
  code: string
  problem: Problem & Record<string, unknown>
  /** Whole seconds. */
  retryAfter: number | null
}
