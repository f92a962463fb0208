import type { Problem, ToldFailure } from '@/lib/contract/problem'

/**
 * A request of the browser that was not answered with success. `status` is 0 where nothing was answered.
 * `code` is the word at the end of the problem's type (a FailureCode of the desk's server), or one of
 * our own: `desk-unreachable`, `desk-timeout`, `desk-bad-reply`.
 */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** The desk's problem record with its extensions; null where there was none. */
    readonly problem: (Problem & Record<string, unknown>) | null = null,
    /** Whole seconds after which a repetition is welcome. */
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(problem?.detail ?? problem?.title ?? code, options)
    this.name = 'CallError'
  }

  /** What the server's own reading for a page came to, as a call of the browser's would have. */
  static of({ status, code, problem, retryAfter }: ToldFailure): CallError {
    return new CallError(status, code, problem, retryAfter)
  }
}
