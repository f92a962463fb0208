/**
 * HTTP status and title of every problem by code. A problem record's `type` is `problemBase` + code (service/README.md,
 * "Answers").
 */
export const problemCatalogue = {
  validation: { status: 400, title: 'One or more values are not valid' },
  'malformed-request': { status: 400, title: 'The request is not HTTP that can be read' },
  'malformed-body': { status: 400, title: 'The body is not JSON that can be read' },
  filter: { status: 400, title: 'The filter is not understood' },
  orderby: { status: 400, title: 'The order is not understood' },
  offset: { status: 400, title: 'The continuation is not valid here' },
  'idempotency-key': { status: 400, title: 'The Idempotency-Key is not valid' },
  unauthorized: { status: 401, title: 'The credential is missing or not known' },
  forbidden: { status: 403, title: 'The credential does not permit this' },
  'not-found': { status: 404, title: 'There is no such resource' },
  'method-not-allowed': { status: 405, title: 'This method is not supported here' },
  timeout: { status: 408, title: 'The request took too long to arrive' },
  'not-pending': { status: 409, title: 'The payment can no longer be cancelled' },
  'open-payments': { status: 409, title: 'There are payments still to be collected' },
  quota: { status: 409, title: 'There are as many as there may be' },
  'too-large': { status: 413, title: 'The body is too large' },
  'path-too-long': { status: 414, title: 'The path is too long' },
  'unsupported-media-type': { status: 415, title: 'The body must be JSON' },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  'key-reused': { status: 422, title: 'The Idempotency-Key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service is not available' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problemCatalogue

export const problemBase = 'https://debitdesk.example/service/problems/'

/** Extension members; `headers` go to the reply instead of the record. */
export type ProblemExtras = {
  errors?: Record<string, string[]>
  /** The position in a filter or sort order, in UTF-16 code units from 0, and what was expected there. */
  position?: number
  expected?: readonly string[]
  headers?: Record<string, string>
}

/** A refusal with a message for people. Handlers throw it; it is sent as a problem record. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(`${code}: ${detail}`)
    this.name = 'Problem'
  }

  get status(): number {
    return problemCatalogue[this.code].status
  }

  /** The problem record (docs/upstream-api.md, section 2). `requestId` is a UUID, `traceId` a W3C traceparent. */
  toRecord(requestId: string, traceId: string): Record<string, unknown> {
    const { errors, position, expected } = this.extras
    return {
      type: `${problemBase}${this.code}`,
      title: problemCatalogue[this.code].title,
      status: this.status,
      detail: this.detail,
      instance: `urn:uuid:${requestId}`,
      traceId,
      ...(errors ? { errors } : {}),
      ...(position === undefined ? {} : { position, expected: expected ?? [] }),
    }
  }
}
