import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@/lib/database/open-database'
import { type ActivityEntry, appendActivities } from '../activity/append-activity'
import type { CancellationRow } from './ledger'

/** One change of the ledger: the statement that makes it, null where it was not to be made, and what the log says of it. */
type Change = {
  make: (tx: Database) => Promise<CancellationRow | null>
  describe: (changed: CancellationRow) => ActivityEntry
}

type Waiting = Change & { resolve: (row: CancellationRow | null) => void; reject: (error: unknown) => void }

const most = 50
/** Classes of SQLSTATE that say that one statement was at fault and everything was undone. */
const ownFaults = ['22', '23', '40', 'P0']

function isOneAtFault(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if ('code' in one && typeof one.code === 'string' && /^[0-9A-Z]{5}$/u.test(one.code))
      return ownFaults.includes(one.code.slice(0, 2))
  return false
}

/** A commit that takes longer, in milliseconds, holds up the next one no more: its connection may be dead. */
const slow = 1_000
/** So many commits are under way at most: each has a connection of the pool. */
const mostAtOnce = 4

/**
 * Commits changes of the ledger: those that come while a transaction is under way share the next one. Each is
 * answered once it is committed, as if it had had a transaction of its own; the log and the disk, for which all of
 * them would wait for each other anyway, are waited for once.
 */
class Committer {
  readonly #waiting: Waiting[] = []
  #isBusy = false
  #underWay = 0
  #free: () => void = () => undefined

  constructor(readonly db: Database) {}

  commit(change: Change): Promise<CancellationRow | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...change, resolve, reject })
      if (!this.#isBusy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      // What has come in meanwhile joins: PGlite, which works in this thread, lets nothing in by itself.
      await setImmediate()
      if (this.#underWay >= mostAtOnce) await new Promise<void>((resolve) => (this.#free = resolve))
      await this.#begin(this.#waiting.splice(0, most))
    }
    this.#isBusy = false
  }

  /** Done once these are committed, or take so long that the next ones go ahead. */
  async #begin(part: readonly Waiting[]): Promise<void> {
    const over = new AbortController()
    this.#underWay += 1
    const committed = this.#commit(part).finally(() => {
      this.#underWay -= 1
      over.abort()
      this.#free()
    })
    await Promise.race([committed, wait(slow, undefined, { signal: over.signal }).catch(() => undefined)])
  }

  async #commit(part: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.db.transaction((tx) => this.#make(tx, part))
      for (const [index, { resolve }] of part.entries()) resolve(rows[index] ?? null)
    } catch (error) {
      // One that cannot be made must not keep the others; whether a broken connection did anything nobody knows.
      if (part.length > 1 && isOneAtFault(error)) for (const one of part) await this.#commit([one])
      else for (const { reject } of part) reject(error)
    }
  }

  async #make(tx: Database, part: readonly Waiting[]): Promise<(CancellationRow | null)[]> {
    const rows: (CancellationRow | null)[] = []
    const entries: ActivityEntry[] = []
    for (const { make, describe } of part) {
      const changed = await make(tx)
      rows.push(changed)
      if (changed) entries.push(describe(changed))
    }
    if (entries.length > 0) await appendActivities(tx, entries)
    return rows
  }
}

const committers = new WeakMap<Database, Committer>()

/** Makes one change in a transaction that it may share with others, with its row of the log. Throws what the store throws. */
export function commitTogether(db: Database, change: Change): Promise<CancellationRow | null> {
  const committer = committers.get(db) ?? new Committer(db)
  committers.set(db, committer)
  return committer.commit(change)
}
