import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { NamedView, ViewPage } from '@/lib/domain/lists/list-preferences'
import type { Session } from '../auth/session'
import { columnChoices } from '../store/saved-view-schema'
import { CachedUntilWrite, requireOpenStore } from '../store/store'
import { nameViews, readDefaultView } from './saved-views'

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

/** How somebody has a list: the query of the view that opens it, the columns, and the views in sight, by name. */
export type OwnList = { opens: string | null; columns: string | null; views: NamedView[] }

const remembered = new CachedUntilWrite<OwnList>()

/** How the session's user has a list. Throws AppError 'store-unavailable', and what the store throws. */
export async function readOwnList(session: Session, list: ViewPage): Promise<OwnList> {
  const { db, countWrites } = await requireOpenStore()
  return remembered.read(`${session.userId} ${session.scope.connectionId} ${list}`, countWrites, async () => {
    const [opens, columns, views] = await Promise.all([
      readDefaultView(db, session, list),
      readColumnChoice(db, session, list),
      nameViews(db, session, list),
    ])
    return { opens, columns, views }
  })
}
