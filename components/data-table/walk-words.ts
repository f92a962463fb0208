import type { IncompleteReason, WalkState } from '@/lib/browser/page-walk'
import * as words from '@/lib/words/lists'
import type { WriteCount } from '../use-count'

/** What `data-walk` says of a walk. */
export function nameWalk(walk: WalkState): 'loading' | 'more' | 'complete' | 'incomplete' | 'failed' {
  return walk.kind
}

/** Why a list may be incomplete, as the second half of a sentence. */
export function explainIncomplete(reason: IncompleteReason): string {
  return words.incompleteReasons[reason]
}

type Counts = { loaded: number; shown: number; isNarrowed: boolean }

/**
 * The state of the walk in a few words. `isNarrowed`: a filter works on the loaded rows only, of which
 * `shown` are left; no total is ever invented, for the interface has none.
 */
export function describeWalk(walk: WalkState, { loaded, shown, isNarrowed }: Counts, formatCount: WriteCount): string {
  const count = formatCount(loaded)
  if (walk.kind === 'loading' && loaded === 0) return words.loading
  const rows = isNarrowed ? words.ofLoadedMatch(formatCount(shown), count) : words.loaded(count)
  switch (walk.kind) {
    case 'complete':
      if (loaded === 0) return words.noneLabel
      return isNarrowed ? words.ofAllMatch(formatCount(shown), count) : words.allLoaded(count)
    case 'incomplete':
      return words.listMayBeIncompleteAfter(rows)
    case 'failed':
      return loaded === 0 ? words.notLoaded : words.thenItFailed(rows)
    default:
      return rows
  }
}
