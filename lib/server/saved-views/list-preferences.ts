import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { NamedView, ViewPage } from '@/lib/domain/lists/list-preferences'
import type { Session } from '../auth/session'
import { columnChoices } from '../store/saved-view-schema'
import { CachedUntilWrite, requireOpenStore } from '../store/store'
import { listNamedViews, readDefaultView } from './saved-views'

function isChoiceOf({ scope, userId }: Session, list: ViewPage) {
  return and(
    eq(columnChoices.connectionId, scope.connectionId),
    eq(columnChoices.userId, userId),
    eq(columnChoices.list, list),
  )
}

/** The user's columns for a list, in the URL's format; null for the default. */
export async function readColumnChoice(db: Database, session: Session, list: ViewPage): Promise<string | null> {
  const [row] = await db.select({ columns: columnChoices.columns }).from(columnChoices).where(isChoiceOf(session, list))
  return row?.columns ?? null
}

/** Stores the user's columns for a list; null restores the default. */
export async function storeColumnChoice(
  db: Database,
  session: Session,
  list: ViewPage,
  columns: string | null,
): Promise<void> {
  if (columns === null) {
    await db.delete(columnChoices).where(isChoiceOf(session, list))
    return
  }
  const { connectionId, userId } = columnChoices
  await db
    .insert(columnChoices)
    .values({ connectionId: session.scope.connectionId, userId: session.userId, list, columns })
    .onConflictDoUpdate({ target: [connectionId, userId, columnChoices.list], set: { columns } })
}

/** A user's preferences for a list: the default view's query, the columns, and the visible views by name. */
export type ListPreferences = { opens: string | null; columns: string | null; views: NamedView[] }

const cache = new CachedUntilWrite<ListPreferences>()

/** Throws AppError 'store-unavailable' if the store cannot be opened. */
export async function readListPreferences(session: Session, list: ViewPage): Promise<ListPreferences> {
  const { db, countWrites } = await requireOpenStore()
  return cache.read(`${session.userId} ${session.scope.connectionId} ${list}`, countWrites, async () => {
    const [opens, columns, views] = await Promise.all([
      readDefaultView(db, session, list),
      readColumnChoice(db, session, list),
      listNamedViews(db, session, list),
    ])
    return { opens, columns, views: views.map((view) => ({ ...view, isDefault: view.query === opens })) }
  })
}
