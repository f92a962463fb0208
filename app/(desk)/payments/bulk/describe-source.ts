import type { BulkSource } from '@/lib/contract/bulk'
import * as words from '@/lib/words/bulk-cancellation'

/** Where a list came from, in a few words. */
export function describeSource(source: BulkSource): string {
  if (source.kind === 'filter') return words.allThatMatch(source.words)
  return source.name || words.selectedOrPastedPayments
}
