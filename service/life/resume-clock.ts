import { max } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import type { Clock } from '../clock'
import { payments } from '../store/schema'

/** Moves a clock on to the latest moment in the database: time that was moved by hand is not lived through twice. */
export async function resumeClock(db: Database, clock: Clock): Promise<void> {
  const [latest] = await db.select({ at: max(payments.modifiedAt) }).from(payments)
  if (latest?.at) clock.advance(latest.at.getTime() - clock.now().getTime())
}
