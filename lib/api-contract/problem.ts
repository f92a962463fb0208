import * as z from 'zod'
import { record, text } from './tolerant'

/**
 * A problem record as read (docs/upstream-api.md, section 2; RFC 9457): any member may be missing or of another type.
 * `errors` and `traceId` are extensions that deployments add; `status` is not read, the HTTP status wins.
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

/** A problem record as we send it, with media type `application/problem+json`. */
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

/** A failed read that the server did for a page, in a form that can be passed to client components. */
export type SerializedFailure = {
  status: number
  code: string
  problem: Problem & Record<string, unknown>
  /** Seconds. */
  retryAfter: number | null
}
