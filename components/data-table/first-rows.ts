import type { Problem } from '@/lib/contract/problem'

/**
 * One page as the server read it (a ListPage as JSON: React would take each of its values apart, and the browser put
 * them together again), why there is none, or null when the browser should ask.
 */
export type HandedPage =
  | { page: string }
  | {
      failure: { status: number; code: string; problem: Problem & Record<string, unknown>; retryAfter: number | null }
    }
  | null

/** What the server read of a list for the HTML of its page. */
export type FirstRows = {
  /** What it asked for: `ask` of the view's plan, as JSON. */
  ask: string
  result: HandedPage
  /** The page after it, of a list that nothing is asked of: it follows in the same response. Null when the browser should ask. */
  next: Promise<HandedPage> | null
}
