import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Settings } from '../settings'

/** How long what has ended is kept, in days. */
export type Keep = { bulks: number; imports: number; exports: number }

/** How long each kind is kept by the settings. */
export function readKeep({ KEEP_BULKS, KEEP_IMPORTS, KEEP_EXPORTS }: Settings): Keep {
  return { bulks: KEEP_BULKS, imports: KEEP_IMPORTS, exports: KEEP_EXPORTS }
}

/** Whether a moment is more than so many days ago, by the clock of the database. */
export function isOlderThan(moment: SQLWrapper, days: number): SQL {
  return sql`${moment} < now() - ${days}::float8 * interval '1 day'`
}
