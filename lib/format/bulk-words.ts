import type { BulkCounts, BulkMode, BulkState, BulkVerdict, BulkView } from '@/lib/contract/bulk'
import { outcomeWords } from './outcome'

/** Where a row stands, in words: the six outcomes, and two that are none yet. */
export const outcomeLabels: Record<keyof BulkCounts, string> = {
  unsent: 'Not sent yet',
  ...outcomeWords,
  left: 'Left to another cancellation',
}

/** What a row of a list is, before it is confirmed. */
export const verdictWords: Record<BulkVerdict, string> = {
  cancellable: 'Can be cancelled',
  'already-cancelled': 'Already cancelled',
  'too-late': 'Too late',
  'not-cancellable': 'Cannot be cancelled in its state',
  'in-hand': 'Being cancelled already',
  unknown: 'No such payment',
  malformed: 'Not an id or a handle',
  duplicate: 'Given twice',
}

export const modeWords: Record<BulkMode, string> = { live: 'Live', test: 'Test', unsaid: 'Live or test: not said' }

export const bulkStateWords: Record<BulkState, string> = {
  preparing: 'Reading the list',
  ready: 'Not confirmed yet',
  failed: 'No list could be made',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  finished: 'Finished',
}

const problems: Record<string, string> = {
  'list-incomplete': 'The service’s list of payments could not be followed to its end.',
  'unreadable-entries': 'The service’s list holds entries that cannot be read.',
  'list-too-long': 'The service’s list of payments has no end.',
  'list-unreadable': 'The service’s list of payments could not be read.',
  refused: 'The service refuses to cancel payments.',
  'too-many': 'More than 10,000 payments match. Narrow the filter.',
  interrupted: 'The desk was restarted while the list was read. Make it anew.',
  revoked: 'Whoever started it may not cancel payments any more.',
}

/** Why a bulk is in its state, where that needs a reason. */
export function describeProblem({ problem }: Pick<BulkView, 'problem'>): string | null {
  return problem === null ? null : (problems[problem] ?? 'Something went wrong.')
}

const waits: Record<string, string> = {
  'owner-signed-out': 'Waiting for whoever started it to sign in: the service is asked with their own access.',
  'slow-down': 'The service asks to slow down.',
  'store-full': 'The disk of the desk is full: nothing is sent until there is room again.',
  'store-unavailable': 'The desk’s own store is not available: nothing is sent until it is.',
  'upstream-unreachable': 'The service cannot be reached.',
  'upstream-timeout': 'The service does not answer in time.',
  'upstream-credential': 'The service does not accept the desk’s credential.',
  'upstream-forbidden': 'The service refuses to show payments.',
}

/** Why nothing is sent at this moment; it goes on by itself. */
export function describeWait({ wait }: Pick<BulkView, 'wait'>): string | null {
  return wait === null ? null : `${waits[wait.code] ?? 'The service has trouble.'} It goes on by itself.`
}
