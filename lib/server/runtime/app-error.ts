import { isCommitUnknown } from '@/lib/database/errors'
import { failures } from '@/lib/words/failures'
import { thisMayHaveBeenDone } from '@/lib/words/refusals'

/**
 * Every error of the desk's server, as a closed union: code → HTTP status. Texts for people follow from the code
 * (lib/words/failures) and from our own detail (lib/words/refusals), never from an exception.
 */
export const errorStatuses = {
  'bad-request': 400,
  'signed-out': 401,
  forbidden: 403,
  'cross-origin': 403,
  'bad-signature': 403,
  'step-up': 403,
  'wrong-password': 403,
  'owner-signed-out': 403,
  'upstream-forbidden': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'another-user': 409,
  'in-team': 409,
  'last-admin': 409,
  'shared-account': 409,
  'not-possible': 409,
  conflict: 409,
  'changed-since-seen': 409,
  'confirmation-needed': 409,
  'not-cancellable': 409,
  'in-flight': 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  'key-reused': 422,
  'connection-fails': 422,
  'upstream-refused': 422,
  'upstream-slow-down': 429,
  'too-many-attempts': 429,
  internal: 500,
  'upstream-unreachable': 502,
  'upstream-bad-reply': 502,
  'upstream-credential': 502,
  'upstream-error': 502,
  'store-unavailable': 503,
  'outcome-unknown': 503,
  'secret-locked': 503,
  'worker-stopped': 503,
  stopping: 503,
  'upstream-timeout': 504,
} as const satisfies Record<keyof typeof failures, number>

export type ErrorCode = keyof typeof errorStatuses

/** Details of an error for whoever handles or shows it. Never secret. */
export type ErrorEvidence = {
  /** For people, ours or the service's own (at most 300 characters). */
  detail?: string
  /** Messages per field of the request. */
  errors?: Record<string, string[]>
  /** Whole seconds to wait, bounded, for 429 and 503. */
  retryAfter?: number
  /** Whose attempts are used up; for our own log only. */
  lockedOut?: 'account' | 'peer'
  /** The service's reply, if there was one. */
  upstream?: { status: number; type?: string; title?: string; detail?: string; instance?: string; traceId?: string }
  /** Whether bytes of the request had reached the service: false means it was certainly not sent. */
  written?: boolean
  /** The supported methods, for 405. */
  allow?: string[]
  /** Further members of the problem record, such as the difference of a changed payment. */
  extensions?: Record<string, unknown>
}

/** The only error class of the desk's server. Unknown exceptions become `internal` at the edges. */
export class AppError extends Error {
  /** Pages and handlers load separate copies of this module, so `instanceof` must recognise errors of other copies. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!(value instanceof Error) || value.name !== 'AppError' || !('code' in value)) return false
    return Object.hasOwn(errorStatuses, String(value.code))
  }

  constructor(
    readonly code: ErrorCode,
    readonly evidence: ErrorEvidence = {},
    options?: ErrorOptions,
  ) {
    super(`${code}: ${evidence.detail ?? failures[code]}`, options)
    this.name = 'AppError'
  }

  get status(): number {
    return errorStatuses[this.code]
  }
}

/** Translates an error at the edges: an AppError stays, an unconfirmed commit is `outcome-unknown`, else `otherwise`. */
export function toAppError(cause: unknown, otherwise: (cause: unknown) => AppError): AppError {
  if (cause instanceof AppError) return cause
  if (isCommitUnknown(cause)) return new AppError('outcome-unknown', { detail: thisMayHaveBeenDone }, { cause })
  return otherwise(cause)
}

/** For unforeseen errors. */
export const toInternalError = (cause: unknown) => new AppError('internal', {}, { cause })
