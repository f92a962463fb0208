import type { ListId } from '@/lib/contract/ability'
import type { Page } from '@/lib/contract/page'
import type { Problem } from '@/lib/contract/problem'
import type { ListRow } from '@/lib/contract/list-page'

/** What the server read of a list for the HTML of its page. */
export type FirstRows<List extends ListId> = {
  /** What it asked for: `ask` of the view's plan, as JSON. */
  ask: string
  /** The page, why there is none, or null when the browser should ask. */
  result:
    | { page: Page<ListRow<List>> }
    | {
        failure: { status: number; code: string; problem: Problem & Record<string, unknown>; retryAfter: number | null }
      }
    | null
}
