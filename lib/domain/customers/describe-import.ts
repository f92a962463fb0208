import type { Message } from '@/lib/language/runtime'
import { formatCount } from '../numbers'
import type { CustomerImportView, DoubtReason } from './customer-import'
import * as m from '@/lib/messages/m'

const reasons: Record<string, Message> = {
  'upstream-credential': m.customerImport_serviceDoesNotAccept,
  'upstream-forbidden': m.customerImport_serviceRefusesToCreateCustomers,
  forbidden: m.customerImport_roleOfWhoeverStarted,
  'upstream-unreachable': m.customerImport_serviceCannotBeReached,
  'upstream-timeout': m.customerImport_serviceDoesNotAnswer,
  'upstream-error': m.customerImport_serviceFailed,
  'upstream-bad-reply': m.customerImport_replyUnreadable,
  'owner-signed-out': m.customerImport_ownerSignedOut,
  restored: m.customerImport_storeWasRestored,
}

const failures: Record<string, Message> = {
  'upstream-unreachable': m.customerImport_connectionBroke,
  'upstream-timeout': m.customerImport_noAnswerInTime,
  'upstream-error': m.customerImport_serviceFailed,
  'upstream-bad-reply': m.customerImport_replyUnreadable,
  restored: m.customerImport_maybeSentBeforeRestore,
}

/** Why sending a doubtful line failed; null if the process ended meanwhile. */
export function describeFailure(code: string | null): string {
  return code === null
    ? m.customerImport_deskEndedMeanwhile()
    : (failures[code] ?? m.customerImport_serviceRefusedSecond)()
}

const doubts: Record<DoubtReason, Message> = {
  'not-found': m.customerImport_notAmongCustomers,
  ambiguous: m.customerImport_theseMayBeIt,
  'not-listed': m.customerImport_listCouldNotBeRead,
}

/** The result of searching for a doubtful line; null while searching. */
export function describeDoubt(heldFor: DoubtReason | null): string {
  return heldFor === null ? m.customerImport_deskLooksForIt() : doubts[heldFor]()
}

/** Why an import is on hold, by the code of its problem. */
export function describeHold(problem: string | null): string {
  return m.customerImport_heldBecause({ why: (reasons[problem ?? ''] ?? m.customerImport_somethingWentWrong)() })
}

/** What became of an import's lines: "2 of 3 created, 1 refused". */
export function describeCounts(counts: CustomerImportView['counts'], locale: string): string {
  const { waiting, created, refused, leftOut, unknown, found, held } = counts
  const total = waiting + created + refused + leftOut + unknown
  const write = (count: number) => formatCount(count, locale)
  return [
    m.customerImport_ofCreated({ created: write(created), total: write(total) }),
    ...(found > 0 ? [m.customerImport_foundWithoutReply({ found: write(found) })] : []),
    ...(refused > 0 ? [m.customerImport_refused({ refused: write(refused) })] : []),
    ...(leftOut > 0 ? [m.customerImport_leftOutPart({ leftOut: write(leftOut) })] : []),
    ...(unknown > held ? [m.customerImport_withUnknownOutcome({ unknown: write(unknown - held) })] : []),
    ...(held > 0 ? [m.customerImport_needADecision({ held: write(held) })] : []),
  ].join(', ')
}

export function describeImport({ state, problem, waitUntil, startedBy, counts }: CustomerImportView): string {
  switch (state) {
    case 'running':
      if (waitUntil) return m.customerImport_waitingTheServiceAsks()
      return counts.waiting === 0 && counts.unknown > counts.held
        ? m.customerImport_lookingForLines()
        : m.customerImport_creatingCustomers()
    case 'done':
      return counts.held > 0 ? m.customerImport_doneButDecide() : m.customerImport_done()
    case 'stopped':
      return m.customerImport_stopped()
    case 'interrupted':
      return m.customerImport_interruptedByARestart()
    default:
      if (problem === 'owner-signed-out') return m.customerImport_waitingForToSignIn({ startedBy })
      return describeHold(problem)
  }
}
