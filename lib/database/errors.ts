const name = 'CommitUnknownError'

/** COMMIT was sent without a reply: the transaction may have taken effect, or still do so. */
export class CommitUnknownError extends Error {
  constructor(options: ErrorOptions) {
    super('The connection broke while the transaction was being committed.', options)
    this.name = name
  }
}

/** Compares names rather than classes, because Next bundles this module once per graph. */
export function isCommitUnknown(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if (one.name === name) return true
  return false
}

/** A database that must not be used; `message` tells people in whole sentences what to do. */
export class DatabaseError extends Error {
  constructor(
    message: string,
    /** A Postgres error code (SQLSTATE). */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'DatabaseRefusal'
  }
}

/**
 * For `catch` of an access to `path`: null where there is no such file. Any other failure doesn't say that there is none,
 * and throws DatabaseError.
 */
export function nullIfMissing(path: string): (error: unknown) => null {
  return (cause) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    if (code === 'ENOENT') return null
    throw new DatabaseError(`${path} cannot be read (${code}). Nothing was changed.`, '58030', { cause })
  }
}
