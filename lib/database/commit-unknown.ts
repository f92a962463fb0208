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
