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

type Step = (db: Database) => Promise<void>

/** What a pass does, in this order; a failure of one keeps up none of the others. */
const steps: readonly Step[] = [(db) => answerPasswordRequests(db), handleNotices, sendDueMails]
/** Apart from them, since it asks merchants' providers, which may be slow. */
const slowSteps: readonly Step[] = [async (db) => sendDueDigests(db, (await getStore()).clock.wall().getTime())]

async function pass(these: readonly Step[]): Promise<void> {
  for (const step of these) {
    try {
      await step((await getStore()).db)
    } catch (error) {
      log.warn({ event: 'mails-not-tended', step: step.name, error: describeError(error) })
    }
  }
}

declare global {
  var debitdeskMail: PeriodicTask[] | undefined
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
  globalThis.debitdeskMail ??= [steps, slowSteps].map((each) => startPeriodicTask(() => pass(each), CHECK_INTERVAL_MS))
}

/** Stops sending, after the current mail. */
export async function stopMail(): Promise<void> {
  await Promise.all(globalThis.debitdeskMail?.map((task) => task.stop()) ?? [])
}
