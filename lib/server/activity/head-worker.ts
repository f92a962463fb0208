import { describeError } from '../describe-error'
import { log } from '../log'
import { type PeriodicTask, startPeriodicTask } from '../periodic-task'
import { getSettings } from '../settings'
import { getStore } from '../store/open-store'
import { keepHeadSecret, nameHeadsFile } from './head-files'
import { HeadSigner } from './head-signer'

declare global {
  /** One per process, in whichever of Next's module graphs it was started. */
  var debitdeskHeads:
    | {
        signer: HeadSigner
        task: PeriodicTask
        /** Ends all sending. */
        ending: AbortController
      }
    | undefined
}

/** In milliseconds. How often the log is looked at, and how long all that is sent may take when the desk ends. */
const lookEvery = 15_000
const longestLast = 2_500

async function look(signer: HeadSigner, isLast = false): Promise<void> {
  try {
    await signer.signIfDue(new Date(), isLast)
  } catch (error) {
    log.error({ event: 'activity-head-not-signed', error: describeError(error) })
  }
}

/**
 * Signs heads of the activity log from now on (see HeadSigner); waits for the first. A desk without a key and a place to
 * keep one goes on without, and the log says so.
 */
export async function startHeads(): Promise<void> {
  if (globalThis.debitdeskHeads) return
  const { DATA_DIR, ACTIVITY_KEY, ACTIVITY_HEADS_URL, ACTIVITY_HEADS_EVERY } = getSettings()
  try {
    const signer = await HeadSigner.open({
      db: (await getStore()).db,
      secret: await keepHeadSecret(DATA_DIR, ACTIVITY_KEY),
      file: nameHeadsFile(DATA_DIR),
      address: ACTIVITY_HEADS_URL,
      every: ACTIVITY_HEADS_EVERY,
    })
    await look(signer)
    const ending = new AbortController()
    const task = startPeriodicTask(async () => {
      await look(signer)
      await signer.send(new Date(), ending.signal)
    }, lookEvery)
    globalThis.debitdeskHeads = { signer, task, ending }
  } catch (error) {
    log.error({ event: 'activity-heads-off', error: describeError(error) }, 'no head of the activity log is signed')
  }
}

/**
 * Signs and sends what was written since the last head, and then no more. However many heads wait, and however slow their
 * receiver is, it sends for some seconds only. To be called last, before the store closes.
 */
export async function stopHeads(): Promise<void> {
  const worker = globalThis.debitdeskHeads
  if (!worker) return
  globalThis.debitdeskHeads = undefined
  const deadline = setTimeout(() => worker.ending.abort(), longestLast)
  await worker.task.stop()
  await look(worker.signer, true)
  await worker.signer.send(new Date(), worker.ending.signal)
  clearTimeout(deadline)
}
