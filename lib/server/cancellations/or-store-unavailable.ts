import { Failure } from '../failure'

/** Runs what needs the store; whatever it throws that is no Failure becomes 'store-unavailable'. */
export async function orStoreUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('store-unavailable', { retryAfter: 5 }, { cause })
  }
}
