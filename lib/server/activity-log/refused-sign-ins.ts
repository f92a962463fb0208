import { AsyncResource } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { countSignIn } from '../metrics/instruments'
import { describeError, log } from '../runtime/log'
import { type HeldBack, logRepeatable, RepeatLimit } from '../runtime/security-log'
import { users } from '../store/schema'
import { groupPeer } from '../runtime/peer-address'
import { recordActivity } from './append'

export type RefusedSignIn = {
  at: Date
  /** The typed address in canonical form, or the provider's name for the user; null if it is neither. */
  email: string | null
  peer: string
  details?: Readonly<Record<string, string>>
  /** Set if the attempt was not checked because of earlier ones, by account or by peer. */
  lockedOut?: 'account' | 'peer'
}

const WINDOW_MINUTES = 15
/** Maximum rows per window: per account, for all unknown addresses together, and in total. */
const MAX_ROWS_PER_ACCOUNT = 20
const MAX_ROWS_OF_UNKNOWN = 20
const MAX_ROWS = 300
/** Beyond this the store is slower than the attacker: further refusals are only counted. */
const MAX_UNWRITTEN = 100

/** All unknown addresses and locked-out peers share one subject, so that invented names create no rows. */
const UNKNOWN_SUBJECT = 'strangers'

/** Random delay before queued rows are written: long after the replies, at a time no attacker can predict. */
const WRITE_DELAY_MS = { least: 300, most: 1_000 }

type RefusalQueue = {
  limit: RepeatLimit
  /** Run when the timer fires. */
  waiting: (() => Promise<void>)[]
  timer: ReturnType<typeof setTimeout> | undefined
  /** Waiting or being written. */
  unwritten: number
  written: Promise<void>
}

declare global {
  /** Global because Next loads this module once per module graph. */
  var debitdeskRefusedSignIns: RefusalQueue | undefined
}

/** Records the refusals beyond a window's rows: one row per account, and one for all unknown addresses. */
async function recordHeldBack(heldBack: readonly HeldBack[]): Promise<void> {
  for (const { subject, count, peers, otherPeers } of heldBack) {
    const email = subject.startsWith('account ') ? subject.slice('account '.length) : 'unknown'
    await recordActivity({
      person: { email },
      actor: email,
      action: 'session.refused-more',
      objectKind: 'session',
      objectId: 'none',
      outcome: 'refused',
      details: { count, minutes: WINDOW_MINUTES, from: peers, ...(otherPeers > 0 && { fromOthers: otherPeers }) },
    })
  }
}

function getQueue(): RefusalQueue {
  return (globalThis.debitdeskRefusedSignIns ??= {
    waiting: [],
    timer: undefined,
    unwritten: 0,
    written: Promise.resolve(),
    limit: new RepeatLimit({
      windowMs: WINDOW_MINUTES * 60_000,
      most: MAX_ROWS,
      report: (heldBack) => {
        const queue = getQueue()
        queue.written = queue.written.then(() => recordHeldBack(heldBack))
      },
    }),
  })
}

async function isAccount(db: Database, email: string): Promise<boolean> {
  const [found] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return found !== undefined
}

async function writeRow(db: Database, { at, email, peer, lockedOut, details }: RefusedSignIn): Promise<void> {
  const { limit } = getQueue()
  const network = groupPeer(peer)
  const hasAccount = lockedOut !== 'peer' && email !== null && (await isAccount(db, email))
  const subject = hasAccount ? `account ${email}` : UNKNOWN_SUBJECT
  const slot = lockedOut === 'peer' ? `locked out ${network}` : lockedOut ? `locked out ${subject}` : subject
  const maxRows = lockedOut ? 1 : hasAccount ? MAX_ROWS_PER_ACCOUNT : MAX_ROWS_OF_UNKNOWN
  if (!limit.pass({ subject, peer: network, now: at.getTime() }, { slot, most: maxRows })) return
  const actor = (lockedOut !== 'peer' && email) || 'unknown'
  await recordActivity({
    at,
    person: { email: actor },
    actor,
    action: lockedOut ? 'session.locked-out' : 'session.refused',
    objectKind: 'session',
    objectId: 'none',
    outcome: 'refused',
    details: { from: peer, ...details },
  })
}

function writeQueued(): void {
  const queue = getQueue()
  clearTimeout(queue.timer)
  queue.timer = undefined
  for (const run of queue.waiting.splice(0)) queue.written = queue.written.then(run)
}

/**
 * Records a refused sign-in, in order and within limits that outsiders cannot move. Refusals beyond them are counted,
 * and the count is recorded when the window ends. Rows are written later because the response time must not reveal
 * whether an account exists: only an account's rows may remain to be written, and on PGlite every statement delays the
 * reply.
 */
export function recordRefusedSignIn(db: Database, refused: RefusedSignIn): void {
  const event = refused.lockedOut ? 'locked-out' : 'sign-in-refused'
  countSignIn(refused.lockedOut ? 'locked-out' : 'refused')
  logRepeatable(event, { event }, refused.peer)
  const queue = getQueue()
  if (queue.unwritten >= MAX_UNWRITTEN) {
    queue.limit.hold({ subject: UNKNOWN_SUBJECT, peer: groupPeer(refused.peer), now: refused.at.getTime() })
    return
  }
  // Keeps the request context of the refusal; the timer may have been started by another.
  const run = AsyncResource.bind(() => writeRow(db, refused))
  queue.unwritten += 1
  queue.waiting.push(() =>
    run()
      .catch((error: unknown) => log.error({ event: 'refusal-not-written', error: describeError(error) }))
      .finally(() => (queue.unwritten -= 1)),
  )
  const { least, most } = WRITE_DELAY_MS
  queue.timer ??= setTimeout(writeQueued, randomInt(least, most)).unref()
}

/** Waits until all refusals are written; with `summed`, including those that were only counted. */
export async function flushRefusedSignIns({ summed = false } = {}): Promise<void> {
  const queue = getQueue()
  writeQueued()
  await queue.written
  if (summed) queue.limit.end()
  await queue.written
}
