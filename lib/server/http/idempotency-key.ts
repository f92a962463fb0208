import { uuidSegment } from '@/lib/api-contract/path-segment'
import { AppError } from '../runtime/app-error'
import * as m from '@/lib/messages/m'

/** The request's `Idempotency-Key`, a UUID, in lower case; null without one. Throws AppError 'bad-request'. */
export function parseIdempotencyKey(request: Request): string | null {
  const header = request.headers.get('idempotency-key')
  if (header === null) return null
  const read = uuidSegment.safeParse(header.trim())
  if (read.success) return read.data.toLowerCase()
  throw new AppError('bad-request', {
    detail: m.refusals_idempotencyKeyMustBeAUuid(),
    errors: { 'Idempotency-Key': [m.fields_mustBeAUuid()] },
  })
}
