import { uuidSegment } from '@/lib/contract/path-segment'
import { Failure } from '../failure'
import * as fields from '@/lib/words/fields'
import * as refusals from '@/lib/words/refusals'

/** The request's `Idempotency-Key`, a UUID in lower case; null without one. Throws Failure 'bad-request'. */
export function readIdempotencyKey(request: Request): string | null {
  const header = request.headers.get('idempotency-key')
  if (header === null) return null
  const read = uuidSegment.safeParse(header.trim())
  if (read.success) return read.data.toLowerCase()
  throw new Failure('bad-request', {
    detail: refusals.idempotencyKeyMustBeAUuid,
    errors: { 'Idempotency-Key': [fields.mustBeAUuid] },
  })
}
