import { and, eq } from 'drizzle-orm'
import type { ViewPage } from '@/lib/contract/saved-view'
import type { Database } from '@/lib/database/open-database'
import type { Session } from '../session'
import { columnChoices } from '../store/column-schema'

function isOf({ scope, userId }: Session, list: ViewPage) {
  return and(
    eq(columnChoices.connectionId, scope.connectionId),
    eq(columnChoices.userId, userId),
    eq(columnChoices.list, list),
  )
}

/** The columns that the session's user has chosen for a list, as its address would write them; null for those it comes with. */
export async function readColumnChoice(db: Database, session: Session, list: ViewPage): Promise<string | null> {
  const [row] = await db.select({ columns: columnChoices.columns }).from(columnChoices).where(isOf(session, list))
  return row?.columns ?? null
}

/** Keeps the columns that the session's user has chosen for a list; null goes back to those it comes with. */
export async function keepColumnChoice(
  db: Database,
  session: Session,
  list: ViewPage,
  columns: string | null,
): Promise<void> {
  if (columns === null) {
    await db.delete(columnChoices).where(isOf(session, list))
    return
  }
  const { connectionId, userId } = columnChoices
  await db
    .insert(columnChoices)
    .values({ connectionId: session.scope.connectionId, userId: session.userId, list, columns })
    .onConflictDoUpdate({ target: [connectionId, userId, columnChoices.list], set: { columns } })
}
