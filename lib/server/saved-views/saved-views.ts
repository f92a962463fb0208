import { randomUUID } from 'node:crypto'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { SavedView, SavedViews, ViewPage } from '@/lib/domain/lists/list-preferences'
import type { Database } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import type { Session } from '../auth/session'
import { defaultViews, savedViews } from '../store/saved-view-schema'
import * as m from '@/lib/messages/m'

type ViewRow = typeof savedViews.$inferSelect

const MAX_VIEWS = 200

/** Every role but viewers may share views. */
const mayShare = ({ role }: Session) => hasPermission(role, 'cancel')

function mayChange(session: Session, row: ViewRow): boolean {
  // Who shared it may have become a viewer.
  if (row.isShared && !mayShare(session)) return false
  return row.userId === session.userId || (row.isShared && hasPermission(session.role, 'administer'))
}

function isVisible({ scope, userId }: Session) {
  return and(
    eq(savedViews.connectionId, scope.connectionId),
    or(eq(savedViews.isShared, true), eq(savedViews.userId, userId)),
  )
}

function toSavedView(session: Session, row: ViewRow, defaultId: string | null): SavedView {
  const { id, name, query, isShared, savedBy } = row
  return { viewId: id, name, query, isShared, savedBy, mayChange: mayChange(session, row), isDefault: id === defaultId }
}

async function findDefault(db: Database, { scope, userId }: Session, list: ViewPage): Promise<string | null> {
  const [row] = await db
    .select({ viewId: defaultViews.viewId })
    .from(defaultViews)
    .where(
      and(
        eq(defaultViews.connectionId, scope.connectionId),
        eq(defaultViews.userId, userId),
        eq(defaultViews.list, list),
      ),
    )
  return row?.viewId ?? null
}

/** The views of a list that are visible to the session, by name. */
export async function listViews(db: Database, session: Session, list: ViewPage): Promise<SavedViews> {
  const defaultId = await findDefault(db, session, list)
  const rows = await db
    .select()
    .from(savedViews)
    .where(and(isVisible(session), eq(savedViews.list, list)))
    .orderBy(asc(sql`lower(${savedViews.name})`))
    .limit(MAX_VIEWS)
  return { views: rows.map((row) => toSavedView(session, row, defaultId)), mayShare: mayShare(session) }
}

export function listNamedViews(
  db: Database,
  session: Session,
  list: ViewPage,
): Promise<Pick<SavedView, 'name' | 'query'>[]> {
  return db
    .select({ name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(and(isVisible(session), eq(savedViews.list, list)))
    .orderBy(asc(sql`lower(${savedViews.name})`))
    .limit(MAX_VIEWS)
}

/** Throws AppError 'not-found' if the view does not exist or is not visible to the session. */
async function findView(db: Database, session: Session, viewId: string): Promise<ViewRow> {
  const [row] = await db
    .select()
    .from(savedViews)
    .where(and(isVisible(session), eq(savedViews.id, viewId)))
  if (!row) throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchView() })
  return row
}

async function findChangeable(db: Database, session: Session, viewId: string): Promise<ViewRow> {
  const row = await findView(db, session, viewId)
  if (!mayChange(session, row)) throw new AppError('forbidden', { detail: m.refusals_aSharedViewIsChangedByItsOwner() })
  return row
}

/** Decoded, so that a person's name in it can be read, and erased. */
const readParameters = (query: string) => Object.fromEntries(new URLSearchParams(query))

function recordChange(
  db: Database,
  session: Session,
  verb: string,
  { id, list, name, isShared }: ViewRow,
  queries: object = {},
): Promise<number> {
  return appendActivity(db, {
    connectionId: session.scope.connectionId,
    actor: session.email,
    action: `view.${verb}`,
    objectKind: 'setting',
    objectId: id,
    details: { list, name, isShared, ...queries },
  })
}

/** Names are unique, ignoring case, among the views that the same users see. */
function throwIfTaken(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined
  const isTaken = cause instanceof Error && 'code' in cause && cause.code === '23505'
  if (!isTaken) throw error
  throw new AppError('conflict', {
    detail: m.refusals_anotherViewHasThisName(),
    errors: { name: [m.fields_isTaken()] },
  })
}

type NewView = { list: ViewPage; name: string; query: string; isShared: boolean }

/** Throws AppError 'forbidden' (a viewer may not share) and 'conflict' (the name is taken, or there are too many). */
export async function saveView(db: Database, session: Session, newView: NewView): Promise<SavedView> {
  if (newView.isShared && !mayShare(session)) throw new AppError('forbidden')
  const { connectionId } = session.scope
  const count = await db.$count(savedViews, and(isVisible(session), eq(savedViews.list, newView.list)))
  if (count >= MAX_VIEWS)
    throw new AppError('conflict', { detail: m.refusals_mostViewsOfAList({ mostViews: MAX_VIEWS }) })
  const row = await db
    .transaction(async (tx) => {
      const [saved] = await tx
        .insert(savedViews)
        .values({ ...newView, id: randomUUID(), connectionId, userId: session.userId, savedBy: session.email })
        .returning()
      if (!saved) throw new Error('the view was not stored')
      await recordChange(tx, session, 'save', saved)
      return saved
    })
    .catch(throwIfTaken)
  return toSavedView(session, row, null)
}

async function changeView(
  db: Database,
  session: Session,
  viewId: string,
  verb: 'rename' | 'update',
  change: { name: string } | { query: string },
): Promise<SavedView> {
  const row = await findChangeable(db, session, viewId)
  const changed = await db
    .transaction(async (tx) => {
      const [stored] = await tx
        .update(savedViews)
        .set({ ...change, changedAt: new Date() })
        .where(eq(savedViews.id, row.id))
        .returning()
      if (!stored) throw new AppError('not-found')
      const queries =
        'query' in change ? { before: readParameters(row.query), after: readParameters(stored.query) } : {}
      await recordChange(tx, session, verb, stored, queries)
      return stored
    })
    .catch(throwIfTaken)
  return toSavedView(session, changed, await findDefault(db, session, asPage(changed.list)))
}

/** Throws AppError 'not-found', 'forbidden' and 'conflict'. */
export function renameView(db: Database, session: Session, viewId: string, name: string): Promise<SavedView> {
  return changeView(db, session, viewId, 'rename', { name })
}

/** Replaces what a view shows, for everyone it is shared with; it stays whose default it is. Throws AppError 'not-found' and 'forbidden'. */
export function updateView(db: Database, session: Session, viewId: string, query: string): Promise<SavedView> {
  return changeView(db, session, viewId, 'update', { query })
}

/** Deletes a view for everyone it was shared with. Throws AppError 'not-found' and 'forbidden'. */
export async function deleteView(db: Database, session: Session, viewId: string): Promise<void> {
  const row = await findChangeable(db, session, viewId)
  await db.transaction(async (tx) => {
    await tx.delete(savedViews).where(eq(savedViews.id, row.id))
    await recordChange(tx, session, 'delete', row)
  })
}

/** Guarantee: only names of ViewPage are ever written to the column. */
function asPage(list: string): ViewPage {
  return list as ViewPage
}

/** Sets or unsets a view as the user's default for its list. Throws AppError 'not-found'. */
export async function setDefaultView(
  db: Database,
  session: Session,
  viewId: string,
  isDefault: boolean,
): Promise<void> {
  const { id, list } = await findView(db, session, viewId)
  const key = { connectionId: session.scope.connectionId, userId: session.userId, list }
  const { connectionId, userId } = defaultViews
  if (isDefault) {
    await db
      .insert(defaultViews)
      .values({ ...key, viewId: id })
      .onConflictDoUpdate({ target: [connectionId, userId, defaultViews.list], set: { viewId: id } })
    return
  }
  await db
    .delete(defaultViews)
    .where(and(eq(connectionId, key.connectionId), eq(userId, key.userId), eq(defaultViews.viewId, id)))
}

/** The query of the user's default view of a list, or null. */
export async function readDefaultView(db: Database, session: Session, list: ViewPage): Promise<string | null> {
  const [row] = await db
    .select({ query: savedViews.query })
    .from(defaultViews)
    .innerJoin(savedViews, eq(savedViews.id, defaultViews.viewId))
    .where(
      and(
        isVisible(session),
        eq(defaultViews.connectionId, session.scope.connectionId),
        eq(defaultViews.userId, session.userId),
        eq(defaultViews.list, list),
      ),
    )
  return row?.query || null
}
