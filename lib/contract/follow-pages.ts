import type { Continuation } from './page'

/** How a list goes on after a page; one that leads back to a page never comes to its end. */
export type NextPage = Continuation | { kind: 'incomplete'; reason: 'offset-repeated' }

/** Follows one list: what is returned is called with the continuation of each page, in turn. */
export function followPages(): (continuation: Continuation) => NextPage {
  const met = new Set<string>()
  return (continuation) => {
    if (continuation.kind !== 'more') return continuation
    if (met.has(continuation.after)) return { kind: 'incomplete', reason: 'offset-repeated' }
    met.add(continuation.after)
    return continuation
  }
}
