import { AsyncLocalStorage } from 'node:async_hooks'
import { getRequestFacts } from '../request-facts'

/** With whose access token the service is asked: of one sign-in, or of the user's newest. */
export type TokenOwner = { sessionId: string } | { userId: string }

declare global {
  /** One per process: Next loads this module once per graph. */
  var debitdeskTokenOwner: AsyncLocalStorage<TokenOwner> | undefined
}

function getStorage(): AsyncLocalStorage<TokenOwner> {
  return (globalThis.debitdeskTokenOwner ??= new AsyncLocalStorage())
}

/** Runs work of the desk's own in the name of a user; whatever it begins, later too, stays so. */
export function asOwner<Result>(owner: TokenOwner, run: () => Result): Result {
  return getStorage().run(owner, run)
}

/** In whose name the work going on asks the service: who it was given to, else who made the request; null for nobody. */
export function getTokenOwner(): TokenOwner | null {
  const owner = getStorage().getStore()
  if (owner) return owner
  const sessionId = getRequestFacts()?.sessionId
  return sessionId === undefined ? null : { sessionId }
}
