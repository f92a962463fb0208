import type { CustomerImportView, DoubtReason } from '@/lib/domain/customer-import'
import * as words from '@/lib/words/customer-import'

const reasons: Record<string, string> = {
  'upstream-credential': words.serviceDoesNotAccept,
  'upstream-forbidden': words.serviceRefusesToCreateCustomers,
  forbidden: words.roleOfWhoeverStarted,
  'upstream-unreachable': words.serviceCannotBeReached,
  'upstream-timeout': words.serviceDoesNotAnswer,
}

const failures: Record<string, string> = {
  'upstream-unreachable': words.connectionBroke,
  'upstream-timeout': words.noAnswerInTime,
  'upstream-error': words.serviceFailed,
  'upstream-bad-reply': words.replyUnreadable,
}

/** Why sending a doubtful line failed; null if the process ended meanwhile. */
export function describeFailure(code: string | null): string {
  return code === null ? words.deskEndedMeanwhile : (failures[code] ?? words.serviceRefusedSecond)
}

const doubts: Record<DoubtReason, string> = {
  'not-found': words.notAmongCustomers,
  ambiguous: words.theseMayBeIt,
  'not-listed': words.listCouldNotBeRead,
}

/** The result of searching for a doubtful line; null while searching. */
export function describeDoubt(heldFor: DoubtReason | null): string {
  return heldFor === null ? words.deskLooksForIt : doubts[heldFor]
}

export function describeImport({ state, problem, waitUntil, startedBy, counts }: CustomerImportView): string {
  switch (state) {
    case 'running':
      if (waitUntil) return words.waitingTheServiceAsks
      return counts.waiting === 0 && counts.unknown > counts.held ? words.lookingForLines : words.creatingCustomers
    case 'done':
      return counts.held > 0 ? words.doneButDecide : words.done
    case 'stopped':
      return words.stopped
    case 'interrupted':
      return words.interruptedByARestart
    default:
      if (problem === 'owner-signed-out') return words.waitingForToSignIn(startedBy)
      return `Held: ${reasons[problem ?? ''] ?? words.somethingWentWrong}`
  }
}
