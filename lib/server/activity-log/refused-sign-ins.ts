import { AsyncResource } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { describeError, log } from '../runtime/log'
import { type HeldBack, logRepeatable, RepeatLimit } from '../runtime/security-log'
import { users } from '../store/schema'
import { groupPeer } from '../runtime/peer-address'
import { recordActivity } from './append'

export type RefusedSignIn = {
  at: Date
  /** The address that was typed, in canonical form, or what a provider calls somebody; null where it is neither. */
  email: string | null
  peer: string
  /** Further facts. */
  details?: Readonly<Record<string, string>>
  /** Whether nothing was tried any more, because of guesses before: at the account, or from the peer. */
  lockedOut?: 'account' | 'peer'
}

const WINDOW_MINUTES = 15
/** Rows in a window: of one account, of all addresses together that are nobody's, and in all. */
const MAX_ROWS_PER_ACCOUNT = 20
const MAX_ROWS_OF_STRANGERS = 20
const MAX_ROWS = 300
/** Refusals that are not written yet. Beyond it the store is slower than whoever guesses: they are counted only. */
const MAX_UNWRITTEN = 100

/** Whoever typed an address that is nobody's, or is locked out by their own address: made-up names make no rows. */
const STRANGERS = 'strangers'

/**
 * When the first that waits is written, and the others with it: when the replies have long gone, and at no moment that
 * whoever guesses could wait for. In milliseconds.
 */
const WRITTEN_AFTER = { least: 300, most: 1_000 }

type Notes = {
  limit: RepeatLimit
  /** Until the timer is due. */
  waiting: (() => Promise<void>)[]
  timer: ReturnType<typeof setTimeout> | undefined
  /** Those that wait and those that are being written. */
  unwritten: number
  written: Promise<void>
}

declare global {
  /** One per process, in whichever of Next's module graphs it began. */
  var debitdeskRefusedSignIns: Notes | undefined
}

/** What was refused beyond the rows of a window, as one row for each account and one for all strangers. */
async function report(heldBack: readonly HeldBack[]): Promise<void> {
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

function getNotes(): Notes {
  return (globalThis.debitdeskRefusedSignIns ??= {
    waiting: [],
    timer: undefined,
    unwritten: 0,
    written: Promise.resolve(),
    limit: new RepeatLimit({
      windowMs: WINDOW_MINUTES * 60_000,
      most: MAX_ROWS,
      report: (heldBack) => {
        const notes = getNotes()
        notes.written = notes.written.then(() => report(heldBack))
      },
    }),
  })
}

async function isAccount(db: Database, email: string): Promise<boolean> {
  const [found] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return found !== undefined
}

async function write(db: Database, { at, email, peer, lockedOut, details }: RefusedSignIn): Promise<void> {
  const { limit } = getNotes()
  const network = groupPeer(peer)
  const isTheirs = lockedOut !== 'peer' && email !== null && (await isAccount(db, email))
  const subject = isTheirs ? `account ${email}` : STRANGERS
  const slot = lockedOut === 'peer' ? `locked out ${network}` : lockedOut ? `locked out ${subject}` : subject
  const most = lockedOut ? 1 : isTheirs ? MAX_ROWS_PER_ACCOUNT : MAX_ROWS_OF_STRANGERS
  if (!limit.pass({ subject, peer: network, now: at.getTime() }, { slot, most })) return
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

function writeWaiting(): void {
  const notes = getNotes()
  clearTimeout(notes.timer)
  notes.timer = undefined
  for (const run of notes.waiting.splice(0)) notes.written = notes.written.then(run)
}

/**
 * Writes a refused sign-in to the activity log, in the order in which they came, within bounds that nobody outside can
 * move: what is beyond them is counted, and stands there as one row with the count when the window of 15 minutes ends.
 * It is written later, for how long an answer takes must not tell whether an address has an account: only that one's
 * rows may be left to write, and on PGlite every statement holds up the reply.
 */
export function recordRefusedSignIn(db: Database, refused: RefusedSignIn): void {
  const event = refused.lockedOut ? 'locked-out' : 'sign-in-refused'
  logRepeatable(event, { event }, refused.peer)
  const notes = getNotes()
  if (notes.unwritten >= MAX_UNWRITTEN) {
    notes.limit.hold({ subject: STRANGERS, peer: groupPeer(refused.peer), now: refused.at.getTime() })
    return
  }
  // Each row names its own request, whichever the timer was set by.
  const run = AsyncResource.bind(() => write(db, refused))
  notes.unwritten += 1
  notes.waiting.push(() =>
    run()
      .catch((error: unknown) => log.error({ event: 'refusal-not-written', error: describeError(error) }))
      .finally(() => (notes.unwritten -= 1)),
  )
  const { least, most } = WRITTEN_AFTER
  notes.timer ??= setTimeout(writeWaiting, randomInt(least, most)).unref()
}

/** Waits until every refusal so far is written; with `summed`, those that were only counted as well. */
export async function flushRefusedSignIns({ summed = false } = {}): Promise<void> {
  const notes = getNotes()
  writeWaiting()
  await notes.written
  if (summed) notes.limit.end()
  await notes.written
}
