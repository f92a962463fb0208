import type { BulkCounts, BulkMode, BulkState, BulkVerdict, BulkView } from './bulk-cancellation'
import { outcomeLabels } from './cancellation-outcome'
import * as words from '@/lib/words/bulk-states'

/** Labels of the six outcomes and of the two states that are no outcome. */
export const bulkOutcomeLabels: Record<keyof BulkCounts, string> = {
  unsent: words.unsent,
  ...outcomeLabels,
  left: words.left,
}

export const verdictLabels: Record<BulkVerdict, string> = words.verdicts

export const modeLabels: Record<BulkMode, string> = words.modes

const stateLabels: Record<BulkState, string> = words.states

/** Whether a bulk waits until somebody acts. A slow or briefly unavailable service only slows it down. */
export function isBlocked({ wait }: Pick<BulkView, 'wait'>): boolean {
  return wait !== null && ['owner-signed-out', 'store-full', 'store-unavailable'].includes(wait.code)
}

/** The label of a bulk's state; a blocked one is waiting. */
export function describeBulkState(view: Pick<BulkView, 'state' | 'wait'>): string {
  return isBlocked(view) ? words.waiting : stateLabels[view.state]
}

const problems: Record<string, string> = words.problems

/** Why a bulk failed or stopped; null when there is nothing to explain. */
export function describeProblem({ problem }: Pick<BulkView, 'problem'>): string | null {
  return problem === null ? null : (problems[problem] ?? words.somethingWentWrong)
}

const waits: Record<string, string> = words.waits

/** Whether a bulk waits for the user who started it to sign in. */
export function isOwnerSignedOut({ wait }: Pick<BulkView, 'wait'>): boolean {
  return wait?.code === 'owner-signed-out'
}

/** Why a bulk sends nothing at the moment; null when it does not wait. `isMine`: the reader started it. */
export function describeWait(view: Pick<BulkView, 'wait' | 'requestedBy'>, isMine: boolean): string | null {
  if (view.wait === null) return null
  const owner = isMine ? words.waitsForYou : words.waitsForOwner(view.requestedBy)
  return words.goesOn(isOwnerSignedOut(view) ? owner : (waits[view.wait.code] ?? words.trouble))
}
