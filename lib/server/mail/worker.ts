import type { Database } from '@/lib/database/database'
import { describeError, log } from '../runtime/log'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task'
import { inBackground } from '../runtime/request-context'
import { getStore } from '../store/store'
import { answerPasswordRequests } from '../team/password-requests'
import { sendDueDigests } from './digest'
import { handleNotices } from './notices'
import { sendDueMails } from './outbox'
import { checkMailServer, describeMailFailure, isMailSet } from './transport'

const CHECK_INTERVAL_MS = 5_000

/** What a pass does, in this order; a failure of one keeps up none of the others. */
const steps: readonly ((db: Database) => Promise<void>)[] = [
  (db) => answerPasswordRequests(db),
  handleNotices,
  (db) => sendDueDigests(db),
  sendDueMails,
]

async function pass(): Promise<void> {
  for (const step of steps) {
    try {
      await step((await getStore()).db)
    } catch (error) {
      log.warn({ event: 'mails-not-tended', step: step.name, error: describeError(error) })
    }
  }
}

declare global {
  var debitdeskMail: PeriodicTask | undefined
}

/** Says at once what is wrong with the settings, rather than when the first mail is due. */
async function checkAtStart(): Promise<void> {
  try {
    await checkMailServer()
  } catch (error) {
    log.warn({ event: 'mail-server-unreachable', problem: describeMailFailure(error).problem })
  }
}

/** Sends what is queued, in the background; nothing without a mail server. */
export function startMail(): void {
  if (!isMailSet()) return
  void inBackground(checkAtStart)
  globalThis.debitdeskMail ??= startPeriodicTask(pass, CHECK_INTERVAL_MS)
}

/** Stops sending, after the current mail. */
export async function stopMail(): Promise<void> {
  await globalThis.debitdeskMail?.stop()
}
