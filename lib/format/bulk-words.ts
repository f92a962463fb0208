import type { BulkCounts, BulkMode, BulkState, BulkVerdict, BulkView } from '@/lib/contract/bulk'
import { outcomeWords } from './outcome'
import * as words from '@/lib/words/bulk-states'

/** Where a row stands, in words: the six outcomes, and two that are none yet. */
export const outcomeLabels: Record<keyof BulkCounts, string> = {
  unsent: words.unsent,
  ...outcomeWords,
  left: words.left,
}

/** What a row of a list is, before it is confirmed. */
export const verdictWords: Record<BulkVerdict, string> = words.verdicts

export const modeWords: Record<BulkMode, string> = words.modes

export const bulkStateWords: Record<BulkState, string> = words.states

const problems: Record<string, string> = words.problems

/** Why a bulk is in its state, where that needs a reason. */
export function describeProblem({ problem }: Pick<BulkView, 'problem'>): string | null {
  return problem === null ? null : (problems[problem] ?? words.somethingWentWrong)
}

const waits: Record<string, string> = words.waits

/** Why nothing is sent at this moment; it goes on by itself. */
export function describeWait({ wait }: Pick<BulkView, 'wait'>): string | null {
  return wait === null ? null : words.goesOn(waits[wait.code] ?? words.trouble)
}
