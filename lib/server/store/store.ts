import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { closeDataFolder } from '@/lib/database/data-folder'
import { isCommitUnknown } from '@/lib/database/errors'
import { openDatabase } from '@/lib/database/open-database'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { AppError, toAppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'

declare global {
  /** Next loads this module once per module graph (instrumentation, pages, route handlers): the store is one per process. */
  var debitdeskStore: Promise<OpenDatabase> | undefined
}

/** Where the store's migrations lie; the desk is always started from its own folder. */
export const storeMigrations = join(process.cwd(), 'lib/server/store/migrations')

async function openFolder(dataDir: string): Promise<OpenDatabase> {
  closeDataFolder(dataDir)
  return openDatabase({ folder: join(dataDir, 'desk'), migrationsFolder: storeMigrations })
}

/**
 * The desk's own store, opened and migrated on first use: Postgres at DATABASE_URL, else PGlite in
 * DATA_DIR/desk. Throws what openDatabase throws; a failed opening is tried again at the next call.
 */
export function getStore(): Promise<OpenDatabase> {
  if (globalThis.debitdeskStore) return globalThis.debitdeskStore
  const { DATABASE_URL, DATA_DIR } = getSettings()
  const opening = DATABASE_URL
    ? openDatabase({ url: DATABASE_URL, migrationsFolder: storeMigrations })
    : openFolder(DATA_DIR)
  globalThis.debitdeskStore = opening
  opening.catch(() => {
    globalThis.debitdeskStore = undefined
  })
  return opening
}

/**
 * Runs what needs the store; whatever it throws that is no Failure becomes 'store-unavailable', or 'outcome-unknown' where
 * the answer to a COMMIT was lost.
 */
export async function orStoreUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toAppError(error, (cause) => new AppError('store-unavailable', { retryAfter: 5 }, { cause }))
  }
}

/** The desk's own store as it was opened; throws AppError 'store-unavailable' when it cannot be. */
export async function requireOpenStore(): Promise<OpenDatabase> {
  try {
    return await getStore()
  } catch (cause) {
    throw new AppError('store-unavailable', {}, { cause })
  }
}

/** The desk's own store while a request is being answered; throws AppError 'store-unavailable' when it cannot be opened. */
export async function requireStore(): Promise<Database> {
  return (await requireOpenStore()).db
}

const pauses = [50, 500, 2_000]
/** No further attempt begins once so much time has passed since the answer was lost, in milliseconds. */
const window = 10_000

/**
 * Runs `attempt` again where the answer to its COMMIT was lost, at most three times within a few seconds; it must
 * recognise what an earlier run of its own has written. It writes again and doesn't only read, because a row that is
 * not there yet may still be committed: a second write under the same unique key waits for the first. A refusal of
 * ours counts as an answer of the store. Throws AppError 'outcome-unknown' with `detail` when there was none (0114).
 */
export async function resolveCommit<Result>(attempt: () => Promise<Result>, detail: string): Promise<Result> {
  let lost: { error: unknown; at: number } | undefined
  for (const pause of [...pauses, null]) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof AppError && error.status < 500) throw error
      if (!lost && !isCommitUnknown(error)) throw error
      lost ??= { error, at: performance.now() }
      if (pause === null || performance.now() - lost.at > window) break
      await wait(pause)
    }
  }
  throw new AppError('outcome-unknown', { detail, retryAfter: 5 }, { cause: lost?.error })
}

/** So many values are remembered at most. */
const most = 1_000

/**
 * Remembers what was read of a database, and tells it while nothing there has changed: the first read after a change forgets all of it. `readWrites`
 * tells that (see countWrites); without it others may write too, and everything is read each time.
 */
export class CachedUntilWrite<Value> {
  #known = new Map<string, Value>()
  #readWrites: (() => number) | undefined
  #writes = 0

  async read(key: string, readWrites: (() => number) | undefined, read: () => Promise<Value>): Promise<Value> {
    if (!readWrites) return read()
    const writes = readWrites()
    if (readWrites !== this.#readWrites || writes !== this.#writes) this.#known = new Map()
    this.#readWrites = readWrites
    this.#writes = writes
    // What changes while it is read makes the value old: it goes to those that are forgotten then.
    const known = this.#known
    const value = known.get(key)
    if (value !== undefined) return value
    const fresh = await read()
    if (known.size >= most) known.delete(known.keys().next().value ?? key)
    known.set(key, fresh)
    return fresh
  }
}
