import type { IncompleteReason, WalkState } from '@/lib/browser/page-walk'
import type { WriteCount } from '../use-count'

/** What `data-walk` says of a walk. */
export function nameWalk(walk: WalkState): 'loading' | 'more' | 'complete' | 'incomplete' | 'failed' {
  return walk.kind
}

const reasons: Record<IncompleteReason, string> = {
  'no-word': 'the service did not say whether there is more.',
  'no-offset': 'the service said that there is more, but not where it goes on.',
  'offset-too-long': 'the service named a place to go on that is too long to send.',
  'page-too-long': 'the service sent more rows in one page than the desk takes.',
  'offset-repeated': 'the service led back to a page that was read before.',
  'offset-refused': 'the service did not accept the place to go on that it had named.',
  changed: 'rows moved from page to page while it was read, so others may have been missed.',
  'nothing-new': 'the service went on without sending anything new.',
}

/** Why a list may be incomplete, as the second half of a sentence. */
export function explainIncomplete(reason: IncompleteReason): string {
  return reasons[reason]
}

type Counts = { loaded: number; shown: number; isNarrowed: boolean }

/**
 * The state of the walk in a few words. `isNarrowed`: a filter works on the loaded rows only, of which
 * `shown` are left; no total is ever invented, for the interface has none.
 */
export function describeWalk(walk: WalkState, { loaded, shown, isNarrowed }: Counts, formatCount: WriteCount): string {
  const count = formatCount(loaded)
  if (walk.kind === 'loading' && loaded === 0) return 'Loading'
  const rows = isNarrowed ? `${formatCount(shown)} of ${count} loaded match` : `${count} loaded`
  switch (walk.kind) {
    case 'complete':
      if (loaded === 0) return 'None'
      return isNarrowed ? `${formatCount(shown)} of all ${count} match` : `All ${count} loaded`
    case 'incomplete':
      return `The list may be incomplete: ${rows}`
    case 'failed':
      return loaded === 0 ? 'Not loaded' : `${rows}, then it failed`
    default:
      return rows
  }
}
