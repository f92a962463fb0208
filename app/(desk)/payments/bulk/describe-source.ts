import type { BulkSource } from '@/lib/contract/bulk'

/** Where a list came from, in a few words. */
export function describeSource(source: BulkSource): string {
  if (source.kind === 'filter') return `All that match: ${source.words}`
  return source.name ?? 'Selected or pasted payments'
}
