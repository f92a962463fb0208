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

/** What went wrong when a line in doubt was sent; null where the desk ended meanwhile. */
export function describeFailure(code: string | null): string {
  return code === null ? words.deskEndedMeanwhile : (failures[code] ?? words.serviceRefusedSecond)
}

const doubts: Record<DoubtReason, string> = {
  'not-found': words.notAmongCustomers,
  ambiguous: words.theseMayBeIt,
  'not-listed': words.listCouldNotBeRead,
}

/** What the desk has found of a line in doubt; null while it still looks. */
export function describeDoubt(heldFor: DoubtReason | null): string {
  return heldFor === null ? words.deskLooksForIt : doubts[heldFor]
}

/** The state of an import in a few words. */
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
