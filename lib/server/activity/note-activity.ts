import { describeError } from '../describe-error'
import { log } from '../log'
import { type ActivityEntry, appendActivity } from './append-activity'
import { appendForUser, type UserEntry } from './append-for-user'

declare global {
  /** When each of the things that anybody can bring about was last written down; one per process. */
  var debitdeskNoted: Map<string, number> | undefined
}

const mostRemembered = 1_000

/**
 * Appends a row for something that changed nothing in the store: after a call to the service, or of a
 * refusal. Waits until it is written; a store that cannot be written to is told to the log and to nobody
 * else, for what happened has happened. Outside of a running desk (no store open) nothing is written.
 */
export async function noteActivity(entry: ActivityEntry | UserEntry): Promise<void> {
  const opening = globalThis.debitdeskStore
  if (!opening) return
  try {
    const { db } = await opening
    await db.transaction(async (tx) => {
      await ('person' in entry ? appendForUser(tx, entry) : appendActivity(tx, entry))
    })
  } catch (error) {
    const { action, objectKind, objectId } = entry
    log.error({ event: 'activity-not-written', action, objectKind, objectId, error: describeError(error) })
  }
}

/**
 * Notes what somebody could do any number of times, such as being refused: of one `key` one row in
 * `milliseconds`, so that nobody floods the log. Answers whether this one is noted. Does not wait.
 */
export function noteSeldom(
  key: string,
  milliseconds: number,
  entry: ActivityEntry | UserEntry,
  now = Date.now(),
): boolean {
  const noted = (globalThis.debitdeskNoted ??= new Map())
  const last = noted.get(key)
  if (last !== undefined && now - last < milliseconds) return false
  noted.delete(key)
  noted.set(key, now)
  const [oldest] = noted.keys()
  if (noted.size > mostRemembered && oldest !== undefined) noted.delete(oldest)
  void noteActivity(entry)
  return true
}
