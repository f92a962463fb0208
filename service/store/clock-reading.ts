import { lt } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { clockReadings } from './schema'

/** The latest reading of the clock that was kept; null in a new database. */
export async function readLatestReading(db: Database): Promise<Date | null> {
  const [row] = await db.select({ at: clockReadings.at }).from(clockReadings)
  return row?.at ?? null
}

/** Keeps a reading of the clock, unless a later one is kept, which another process may have done. */
export async function keepReading(db: Database, at: Date): Promise<void> {
  await db
    .insert(clockReadings)
    .values({ id: 1, at })
    .onConflictDoUpdate({ target: clockReadings.id, set: { at }, setWhere: lt(clockReadings.at, at) })
}
