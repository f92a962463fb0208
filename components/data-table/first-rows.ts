import type { Problem } from '@/lib/contract/problem'

/** What the server read of a list for the HTML of its page. */
export type FirstRows = {
  /** What it asked for: `ask` of the view's plan, as JSON. */
  ask: string
  /**
   * The page (a ListPage as JSON: React would take each of its values apart, and the browser put them together again),
   * why there is none, or null when the browser should ask.
   */
  result:
    | { page: string }
    | {
        failure: { status: number; code: string; problem: Problem & Record<string, unknown>; retryAfter: number | null }
      }
    | null
}
