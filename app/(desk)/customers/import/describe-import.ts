import type { CustomerImportView } from '@/lib/contract/customer-import'
import * as words from '@/lib/words/customer-import'

const reasons: Record<string, string> = {
  'upstream-credential': words.serviceDoesNotAccept,
  'upstream-forbidden': words.serviceRefusesToCreateCustomers,
  forbidden: words.roleOfWhoeverStarted,
  'upstream-unreachable': words.serviceCannotBeReached,
  'upstream-timeout': words.serviceDoesNotAnswer,
}

/** The state of an import in a few words. */
export function describeImport({ state, problem, waitUntil, startedBy }: CustomerImportView): string {
  switch (state) {
    case 'running':
      return waitUntil ? words.waitingTheServiceAsks : words.creatingCustomers
    case 'done':
      return words.done
    case 'stopped':
      return words.stopped
    case 'interrupted':
      return words.interruptedByARestart
    default:
      if (problem === 'owner-signed-out') return words.waitingForToSignIn(startedBy)
      return `Held: ${reasons[problem ?? ''] ?? words.somethingWentWrong}`
  }
}
