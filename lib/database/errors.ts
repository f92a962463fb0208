const name = 'CommitUnknownError'

/** COMMIT was sent and its answer never came: the transaction may have taken effect, or may still do so. */
export class CommitUnknownError extends Error {
  constructor(options: ErrorOptions) {
    super('The connection broke while the transaction was being committed.', options)
    this.name = name
  }
}

/** By name, not by class: Next bundles this module once per module graph. */
export function isCommitUnknown(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if (one.name === name) return true
  return false
}

/** A database that must not be used as it is; `message` is whole sentences for people, and tells what to do. */
export class DatabaseError extends Error {
  constructor(
    message: string,
    /** As Postgres names such a failure (SQLSTATE), for those who tell failures apart by code. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'DatabaseRefusal'
  }
}
