import { Failure, toFailure } from '../failure'

/**
 * Runs what needs the store; whatever it throws that is no Failure becomes 'store-unavailable', or 'outcome-unknown' where
 * the answer to a COMMIT was lost.
 */
export async function orStoreUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error, (cause) => new Failure('store-unavailable', { retryAfter: 5 }, { cause }))
  }
}
