import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { NoteKind, NoteRequest, Notes, NoteView } from '@/lib/domain/notes'
import * as m from '@/lib/messages/m'
import { appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { notes } from '../store/note-schema'
import { memberships, users } from '../store/schema'
import { toStorable } from '../store/to-storable'

type NoteRow = typeof notes.$inferSelect

/** Notes of one object, or tasks of one person, that are shown. */
const MAX_SHOWN = 200

const mayWrite = ({ role }: Session) => hasPermission(role, 'cancel')

function mayDelete(session: Session, row: NoteRow): boolean {
  return mayWrite(session) && (row.authorId === session.userId || hasPermission(session.role, 'administer'))
}

function toNoteView(session: Session, row: NoteRow): NoteView {
  return {
    noteId: row.id,
    kind: row.objectKind,
    objectId: row.objectId,
    objectName: row.objectName,
    text: row.text,
    author: row.author,
    assignee: row.assignee,
    dueDay: row.dueDay,
    createdAt: row.createdAt.toISOString(),
    doneAt: row.doneAt?.toISOString() ?? null,
    doneBy: row.doneBy,
    mayChange: mayWrite(session) && row.assigneeId !== null,
    mayDelete: mayDelete(session, row),
  }
}

/** The merchant's members who may be given a task: those who may write notes themselves. */
function listPeople(db: Database, { scope }: Session): Promise<{ userId: string; email: string }[]> {
  return db
    .select({ userId: users.id, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.connectionId, scope.connectionId), isNull(users.disabledAt)))
    .orderBy(asc(users.email))
    .limit(MAX_SHOWN)
    .then((rows) =>
      rows.filter(({ role }) => hasPermission(role, 'cancel')).map(({ userId, email }) => ({ userId, email })),
    )
}

/** The notes on a payment or customer, the newest first. */
export async function listNotes(
  db: Database,
  session: Session,
  { kind, object }: { kind: NoteKind; object: string },
): Promise<Notes> {
  const rows = await db
    .select()
    .from(notes)
    .where(
      and(eq(notes.connectionId, session.scope.connectionId), eq(notes.objectKind, kind), eq(notes.objectId, object)),
    )
    .orderBy(desc(notes.createdAt))
    .limit(MAX_SHOWN)
  return {
    notes: rows.map((row) => toNoteView(session, row)),
    people: mayWrite(session) ? await listPeople(db, session) : [],
    mayWrite: mayWrite(session),
  }
}

/** The reader's open tasks, those that are due first. */
export async function listTasks(db: Database, session: Session): Promise<NoteView[]> {
  const rows = await db
    .select()
    .from(notes)
    .where(
      and(
        eq(notes.connectionId, session.scope.connectionId),
        eq(notes.assigneeId, session.userId),
        isNotNull(notes.assigneeId),
        isNull(notes.doneAt),
      ),
    )
    .orderBy(asc(notes.dueDay), asc(notes.createdAt))
    .limit(MAX_SHOWN)
  return rows.map((row) => toNoteView(session, row))
}

type Change = 'added' | 'done' | 'reopened' | 'deleted'

function logNote(tx: Database, session: Session, row: NoteRow, change: Change): Promise<unknown> {
  return appendActivity(tx, {
    connectionId: row.connectionId,
    actor: session.email,
    action: `note.${change}`,
    objectKind: row.objectKind,
    objectId: row.objectId,
    details: {
      noteId: row.id,
      text: row.text,
      ...(row.assignee !== null && { assignee: row.assignee }),
      ...(row.dueDay !== null && { dueDay: row.dueDay }),
    },
  })
}

/** The user's note that the same request under this id has written before. Throws AppError 'conflict'. */
async function findOwnNote(
  tx: Database,
  { scope, userId }: Session,
  noteId: string,
  { kind, objectId, text }: NoteRequest,
): Promise<NoteRow> {
  const isOwn = and(eq(notes.connectionId, scope.connectionId), eq(notes.authorId, userId))
  const isSame = and(eq(notes.objectKind, kind), eq(notes.objectId, objectId), eq(notes.text, text))
  const [row] = await tx
    .select()
    .from(notes)
    .where(and(eq(notes.id, noteId), isOwn, isSame))
  if (!row) throw new AppError('conflict')
  return row
}

/**
 * Writes a note, once however often it is sent under the same id. Throws AppError 'bad-request' for an assignee who isn't
 * of the team or may not do anything, and 'conflict' for the id of another note.
 */
export async function addNote(db: Database, session: Session, request: NoteRequest): Promise<NoteView> {
  const { noteId = randomUUID(), assigneeId, kind, objectName, ...rest } = request
  const person =
    assigneeId === null ? null : (await listPeople(db, session)).find(({ userId }) => userId === assigneeId)
  if (person === undefined)
    throw new AppError('bad-request', { errors: { assigneeId: [m.refusals_assigneeIsNotOfTheTeam()] } })
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(notes)
      .values({
        ...rest,
        objectName: toStorable(objectName),
        id: noteId,
        connectionId: session.scope.connectionId,
        objectKind: kind,
        authorId: session.userId,
        author: session.email,
        assigneeId,
        assignee: person?.email ?? null,
        dueDay: person === null ? null : request.dueDay,
      })
      .onConflictDoNothing()
      .returning()
    if (!row) return toNoteView(session, await findOwnNote(tx, session, noteId, request))
    await logNote(tx, session, row, 'added')
    return toNoteView(session, row)
  })
}

async function lockNote(tx: Database, session: Session, noteId: string): Promise<NoteRow> {
  const [row] = await tx
    .select()
    .from(notes)
    .where(and(eq(notes.connectionId, session.scope.connectionId), eq(notes.id, noteId)))
    .for('update')
  if (!row) throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchNote() })
  return row
}

/** Marks a task as done, or as open again. Throws AppError 'not-found'. */
export function changeNote(db: Database, session: Session, noteId: string, isDone: boolean): Promise<NoteView> {
  return db.transaction(async (tx) => {
    const row = await lockNote(tx, session, noteId)
    if ((row.doneAt !== null) === isDone) return toNoteView(session, row)
    const [changed] = await tx
      .update(notes)
      .set({ doneAt: isDone ? new Date() : null, doneBy: isDone ? session.email : null })
      .where(eq(notes.id, noteId))
      .returning()
    if (!changed) throw new AppError('not-found')
    await logNote(tx, session, changed, isDone ? 'done' : 'reopened')
    return toNoteView(session, changed)
  })
}

/** Deletes a note; its author and admins may. Throws AppError 'not-found' or 'forbidden'. */
export function deleteNote(db: Database, session: Session, noteId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockNote(tx, session, noteId)
    if (!mayDelete(session, row)) throw new AppError('forbidden', { detail: m.refusals_onlyItsAuthorDeletesANote() })
    await tx.delete(notes).where(eq(notes.id, noteId))
    await logNote(tx, session, row, 'deleted')
  })
}
