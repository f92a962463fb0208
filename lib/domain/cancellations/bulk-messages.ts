import type { BulkCounts, BulkMode, BulkState, BulkVerdict, BulkView } from './bulk-cancellation'
import { outcomeLabels } from './cancellation-outcome'
import * as words from '@/lib/words/bulk-states'

/** Where a row stands, in words: the six outcomes, and two that are none yet. */
export const bulkOutcomeLabels: Record<keyof BulkCounts, string> = {
  unsent: words.unsent,
  ...outcomeLabels,
  left: words.left,
}

/** What a row of a list is, before it is confirmed. */
export const verdictLabels: Record<BulkVerdict, string> = words.verdicts

export const modeLabels: Record<BulkMode, string> = words.modes

const stateWords: Record<BulkState, string> = words.states

/** Whether it stands still until somebody does something; a service that is slow or away for a moment only slows it down. */
export function isBlocked({ wait }: Pick<BulkView, 'wait'>): boolean {
  return wait !== null && ['owner-signed-out', 'store-full', 'store-unavailable'].includes(wait.code)
}

/** The state of a bulk in a word: one that runs and stands still waits. */
export function describeBulkState(view: Pick<BulkView, 'state' | 'wait'>): string {
  return isBlocked(view) ? words.waiting : stateWords[view.state]
}

const problems: Record<string, string> = words.problems

/** Why a bulk is in its state, where that needs a reason. */
export function describeProblem({ problem }: Pick<BulkView, 'problem'>): string | null {
  return problem === null ? null : (problems[problem] ?? words.somethingWentWrong)
}

const waits: Record<string, string> = words.waits

/** Whether it waits for whoever started it to sign in. */
export function isOwnerSignedOut({ wait }: Pick<BulkView, 'wait'>): boolean {
  return wait?.code === 'owner-signed-out'
}

/** Why nothing is sent at this moment; it goes on by itself. `isMine`: the reader has started it. */
export function describeWait(view: Pick<BulkView, 'wait' | 'requestedBy'>, isMine: boolean): string | null {
  if (view.wait === null) return null
  const owner = isMine ? words.waitsForYou : words.waitsForOwner(view.requestedBy)
  return words.goesOn(isOwnerSignedOut(view) ? owner : (waits[view.wait.code] ?? words.trouble))
}
