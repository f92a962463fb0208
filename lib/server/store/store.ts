import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { requireDatabase } from '@/lib/database/copy-folder'
import { closeDataFolder } from '@/lib/database/data-folder'
import { isCommitUnknown } from '@/lib/database/errors'
import { openDatabase } from '@/lib/database/open-database'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { MigrationPolicy } from '@/lib/database/migrations'
import { AppError, toAppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'

declare global {
  /** Next loads this module once per graph (instrumentation, pages, route handlers); the store is one per process. */
  var debitdeskStore: Promise<OpenDatabase> | undefined
}

/** The folder of the store's migrations; the desk is always started from its own folder. */
export const storeMigrations = join(process.cwd(), 'lib/server/store/migrations')

async function openStore(migrate: MigrationPolicy): Promise<OpenDatabase> {
  const { DATABASE_URL, DATA_DIR } = getSettings()
  const options = { migrationsFolder: storeMigrations, migrate }
  if (DATABASE_URL) return openDatabase({ url: DATABASE_URL, ...options })
  const folder = join(DATA_DIR, 'desk')
  if (migrate === 'must-exist') await requireDatabase(folder)
  closeDataFolder(DATA_DIR)
  return openDatabase({ folder, ...options })
}

/**
 * The desk's own store, opened and migrated on first use: Postgres at DATABASE_URL, else PGlite in DATA_DIR/desk. Commands
 * migrate an empty one at most (see MigrationPolicy). Throws what openDatabase throws; after a failure the next call tries again.
 */
export function getStore(migrate: MigrationPolicy = 'always'): Promise<OpenDatabase> {
  if (globalThis.debitdeskStore) return globalThis.debitdeskStore
  const opening = openStore(migrate)
  globalThis.debitdeskStore = opening
  opening.catch(() => {
    globalThis.debitdeskStore = undefined
  })
  return opening
}

/**
 * Runs work on the store. Errors other than AppError become 'store-unavailable', or 'outcome-unknown' when the reply to a
 * COMMIT was lost.
 */
export async function orStoreUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toAppError(error, (cause) => new AppError('store-unavailable', { retryAfter: 5 }, { cause }))
  }
}

/** The opened store; throws AppError 'store-unavailable'. */
export async function requireOpenStore(): Promise<OpenDatabase> {
  try {
    return await getStore()
  } catch (cause) {
    throw new AppError('store-unavailable', {}, { cause })
  }
}

/** The database of the opened store; throws AppError 'store-unavailable'. */
export async function requireStore(): Promise<Database> {
  return (await requireOpenStore()).db
}

const PAUSES_MS = [50, 500, 2_000]
/** No attempt starts later than this after the reply was lost. */
const RETRY_WINDOW_MS = 10_000

/**
 * Repeats `attempt` when the reply to its COMMIT was lost, at most three times within a few seconds; it must recognise
 * what an earlier run has written. It writes again instead of only reading, because an absent row may still be
 * committed: a second write with the same unique key waits for the first. An error of ours below 500 counts as a reply.
 * Throws AppError 'outcome-unknown' with `detail` when there was none (decision 0114).
 */
export async function resolveCommit<Result>(attempt: () => Promise<Result>, detail: string): Promise<Result> {
  let lost: { error: unknown; at: number } | undefined
  for (const pause of [...PAUSES_MS, null]) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof AppError && error.status < 500) throw error
      if (!lost && !isCommitUnknown(error)) throw error
      lost ??= { error, at: performance.now() }
      if (pause === null || performance.now() - lost.at > RETRY_WINDOW_MS) break
      await wait(pause)
    }
  }
  throw new AppError('outcome-unknown', { detail, retryAfter: 5 }, { cause: lost?.error })
}

const MAX_VALUES = 1_000

/**
 * Caches values read from a database until the next write: the first read after a write clears the cache. `readWrites`
 * returns a counter of writes (see countWrites); without it others may write too, and nothing is cached.
 */
export class CachedUntilWrite<Value> {
  #cache = new Map<string, Value>()
  #readWrites: (() => number) | undefined
  #writes = 0

  async read(key: string, readWrites: (() => number) | undefined, read: () => Promise<Value>): Promise<Value> {
    if (!readWrites) return read()
    const writes = readWrites()
    if (readWrites !== this.#readWrites || writes !== this.#writes) this.#cache = new Map()
    this.#readWrites = readWrites
    this.#writes = writes
    // A write during the read clears the cache, so the value is stored in the one that was replaced.
    const cache = this.#cache
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const fresh = await read()
    if (cache.size >= MAX_VALUES) cache.delete(cache.keys().next().value ?? key)
    cache.set(key, fresh)
    return fresh
  }
}
