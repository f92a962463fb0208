/**
 * Everything that can go wrong on the desk's server, as a closed union: code → HTTP status and title.
 * Words for people follow from the code (title) and from our own detail, never from an exception.
 */
export const failureCatalogue = {
  'bad-request': { status: 400, title: 'The request was not understood' },
  'signed-out': { status: 401, title: 'You are signed out' },
  forbidden: { status: 403, title: 'Your role does not allow this' },
  'cross-origin': { status: 403, title: 'The request did not come from this desk' },
  'step-up': { status: 403, title: 'Confirm that it is you' },
  'wrong-password': { status: 403, title: 'The password is not right' },
  'owner-signed-out': { status: 403, title: 'The service is asked with your own sign-in, and yours gives no access' },
  'upstream-forbidden': { status: 403, title: 'The service refused' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'This method is not supported here' },
  'another-user': { status: 409, title: 'Somebody else is signed in here now' },
  'in-team': { status: 409, title: 'This person is in the team already' },
  'last-admin': { status: 409, title: 'This is the last admin' },
  'shared-account': { status: 409, title: 'This account belongs to another merchant too' },
  'not-possible': { status: 409, title: 'This cannot be done now' },
  conflict: { status: 409, title: 'Another request got there first' },
  'changed-since-seen': { status: 409, title: 'The payment has changed since you looked' },
  'confirmation-needed': { status: 409, title: 'The payment could not be read again' },
  'not-cancellable': { status: 409, title: 'The payment cannot be cancelled' },
  'in-flight': { status: 409, title: 'The same request is still being worked on' },
  'too-large': { status: 413, title: 'The request is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be JSON' },
  'key-reused': { status: 422, title: 'This key belongs to another request' },
  'connection-fails': { status: 422, title: 'The connection does not work' },
  'upstream-refused': { status: 422, title: 'The service did not accept the request' },
  'upstream-slow-down': { status: 429, title: 'The service asks to slow down' },
  'too-many-attempts': { status: 429, title: 'Too many attempts' },
  internal: { status: 500, title: 'Something went wrong here' },
  'upstream-unreachable': { status: 502, title: 'The service cannot be reached' },
  'upstream-bad-reply': { status: 502, title: 'The reply of the service could not be read' },
  'upstream-credential': { status: 502, title: "The service does not accept the desk's credential" },
  'upstream-error': { status: 502, title: 'The service failed' },
  'store-unavailable': { status: 503, title: "The desk's store is not available" },
  'upstream-timeout': { status: 504, title: 'The service did not answer in time' },
} as const satisfies Record<string, { status: number; title: string }>

export type FailureCode = keyof typeof failureCatalogue

/** What travels with a failure to whoever must decide or tell. Nothing in it is secret. */
export type FailureEvidence = {
  /** For people, in our words or the service's own (at most 300 characters). */
  detail?: string
  /** Messages per field of the request. */
  errors?: Record<string, string[]>
  /** Seconds to wait, whole and bounded, where the answer is 429 or 503. */
  retryAfter?: number
  /** What the service answered, where it answered. */
  upstream?: { status: number; type?: string; title?: string; detail?: string; instance?: string; traceId?: string }
  /** Whether bytes of the request had been written to the service: false means it was surely not sent. */
  written?: boolean
  /** Methods that are supported, for 405. */
  allow?: string[]
  /** Further members of the problem record (the difference of a changed payment, who was first …). */
  extensions?: Record<string, unknown>
}

/** The one error of the desk's server. Unknown exceptions become `internal` at the edges. */
export class Failure extends Error {
  /** Pages and handlers each have their own copy of this module, and share what may fail: a copy's failure is one too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!(value instanceof Error) || value.name !== 'Failure' || !('code' in value)) return false
    return Object.hasOwn(failureCatalogue, String(value.code))
  }

  constructor(
    readonly code: FailureCode,
    readonly evidence: FailureEvidence = {},
    options?: ErrorOptions,
  ) {
    super(`${code}: ${evidence.detail ?? failureCatalogue[code].title}`, options)
    this.name = 'Failure'
  }

  get status(): number {
    return failureCatalogue[this.code].status
  }
}
