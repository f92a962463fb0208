import type { Message } from '@/lib/language/runtime'
import { isCommitUnknown } from '@/lib/database/errors'
import * as m from '@/lib/messages/m'

/**
 * Every error of the desk's server, as a closed union: code → HTTP status. Texts for people follow from the code
 * (errorTitles) and from our own detail (refusals in messages/en.json), never from an exception.
 */
export const errorStatuses = {
  'bad-request': 400,
  'signed-out': 401,
  'token-invalid': 401,
  forbidden: 403,
  'cross-origin': 403,
  'token-not-accepted': 403,
  'bad-signature': 403,
  'step-up': 403,
  'wrong-password': 403,
  'wrong-code': 403,
  'owner-signed-out': 403,
  'upstream-forbidden': 403,
  'not-found': 404,
  'no-such-merchant': 404,
  'method-not-allowed': 405,
  'another-user': 409,
  'in-team': 409,
  'last-admin': 409,
  'shared-account': 409,
  'not-possible': 409,
  'approval-needed': 409,
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
} as const

export type ErrorCode = keyof typeof errorStatuses

/** What each failure is called: the `title` of its problem record. */
export const errorTitles: Record<ErrorCode, Message> = {
  'bad-request': m.failures_failuresBadRequest,
  'signed-out': m.failures_failuresSignedOut,
  'token-invalid': m.failures_failuresTokenInvalid,
  forbidden: m.failures_failuresForbidden,
  'cross-origin': m.failures_failuresCrossOrigin,
  'token-not-accepted': m.failures_failuresTokenNotAccepted,
  'bad-signature': m.failures_failuresBadSignature,
  'step-up': m.failures_failuresStepUp,
  'wrong-password': m.failures_failuresWrongPassword,
  'wrong-code': m.failures_failuresWrongCode,
  'owner-signed-out': m.failures_failuresOwnerSignedOut,
  'upstream-forbidden': m.failures_failuresUpstreamForbidden,
  'not-found': m.failures_failuresNotFound,
  'no-such-merchant': m.problems_codesNoSuchMerchantTitle,
  'method-not-allowed': m.failures_failuresMethodNotAllowed,
  'another-user': m.failures_failuresAnotherUser,
  'in-team': m.failures_failuresInTeam,
  'last-admin': m.failures_failuresLastAdmin,
  'shared-account': m.failures_failuresSharedAccount,
  'not-possible': m.failures_failuresNotPossible,
  'approval-needed': m.failures_failuresApprovalNeeded,
  conflict: m.failures_failuresConflict,
  'changed-since-seen': m.failures_failuresChangedSinceSeen,
  'confirmation-needed': m.failures_failuresConfirmationNeeded,
  'not-cancellable': m.failures_failuresNotCancellable,
  'in-flight': m.failures_failuresInFlight,
  'too-large': m.failures_failuresTooLarge,
  'unsupported-media-type': m.failures_failuresUnsupportedMediaType,
  'expectation-failed': m.failures_failuresExpectationFailed,
  'key-reused': m.failures_failuresKeyReused,
  'connection-fails': m.failures_failuresConnectionFails,
  'upstream-refused': m.failures_failuresUpstreamRefused,
  'upstream-slow-down': m.failures_failuresUpstreamSlowDown,
  'too-many-attempts': m.failures_failuresTooManyAttempts,
  internal: m.failures_failuresInternal,
  'upstream-unreachable': m.failures_failuresUpstreamUnreachable,
  'upstream-bad-reply': m.failures_failuresUpstreamBadReply,
  'upstream-credential': m.failures_failuresUpstreamCredential,
  'upstream-error': m.failures_failuresUpstreamError,
  'secret-locked': m.failures_failuresSecretLocked,
  'store-unavailable': m.failures_failuresStoreUnavailable,
  'outcome-unknown': m.failures_failuresOutcomeUnknown,
  'worker-stopped': m.failures_failuresWorkerStopped,
  stopping: m.failures_failuresStopping,
  'upstream-timeout': m.failures_failuresUpstreamTimeout,
}

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
  /** The desk itself kept the request back, or gave it up: this says nothing of the service. */
  isHeldBack?: true
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
    super(`${code}: ${evidence.detail ?? errorTitles[code]()}`, options)
    this.name = 'AppError'
  }

  get status(): number {
    return errorStatuses[this.code]
  }
}

/** Translates an error at the edges: an AppError stays, an unconfirmed commit is `outcome-unknown`, else `otherwise`. */
export function toAppError(cause: unknown, otherwise: (cause: unknown) => AppError): AppError {
  if (cause instanceof AppError) return cause
  if (isCommitUnknown(cause))
    return new AppError('outcome-unknown', { detail: m.refusals_thisMayHaveBeenDone() }, { cause })
  return otherwise(cause)
}

/** For unforeseen errors. */
export const toInternalError = (cause: unknown) => new AppError('internal', {}, { cause })
