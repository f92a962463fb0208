import type { DehydratedState } from '@tanstack/react-query'
import type { Proofs } from '@/lib/contract/ability'
import type { Problem } from '@/lib/contract/problem'

/** What the server read of a list for its page (app/(desk)/load-list.ts). */
export type FirstPage = {
  /** Names this reading of the page: with another one the list is read anew. */
  visit: string
  /** What the server asked of the service: `ask` of the view's plan, as JSON. */
  ask: string
  proofs: Proofs
  /** The first page of the list, the reader's own columns and views, for the browser's cache. */
  state: DehydratedState
  /** Why there is no first page; null where there is one, or the browser is to ask. */
  failure: {
    status: number
    code: string
    problem: Problem & Record<string, unknown>
    retryAfter: number | null
  } | null
}
