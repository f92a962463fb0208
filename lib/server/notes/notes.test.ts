import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asc } from 'drizzle-orm'
import type { OpenDatabase } from '@/lib/database/database'
import type { NoteRequest } from '@/lib/domain/notes'
import type { Session } from '../auth/session'
import { activity } from '../store/schema'
import { addActor } from '../testing/bulk-fixture'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { addNote, changeNote, deleteNote, listNotes, listTasks } from './notes'

let store: OpenDatabase
let support: Session
let colleague: Session
let viewer: Session

async function member(role: 'support' | 'viewer' | 'admin'): Promise<Session> {
  const { userId, email } = await addActor(store, role)
  return { ...makeSession(role), userId, email }
}

beforeAll(async () => {
  store = await openMemoryStore()
  support = await member('support')
  colleague = await member('support')
  viewer = await member('viewer')
})
afterAll(() => store.close())

const note = (changes: Partial<NoteRequest> = {}): NoteRequest => ({
  kind: 'payment',
  objectId: randomUUID(),
  objectName: 'INV-1',
  text: 'Called, will pay on Friday',
  assigneeId: null,
  dueDay: null,
  ...changes,
})

it('a note is read on its payment alone, by everybody, and written by who may cancel', async () => {
  const given = note()
  await addNote(store.db, support, given)
  const read = await listNotes(store.db, viewer, { kind: 'payment', object: given.objectId })
  expect(read).toMatchObject({ mayWrite: false, people: [] })
  expect(read.notes).toMatchObject([{ text: given.text, author: support.email, mayChange: false, mayDelete: false }])
  expect((await listNotes(store.db, viewer, { kind: 'customer', object: given.objectId })).notes).toEqual([])
  const elsewhere = { ...support, scope: { ...support.scope, connectionId: 'other' } }
  expect((await listNotes(store.db, elsewhere, { kind: 'payment', object: given.objectId })).notes).toEqual([])
})

it('a note that is sent again under its id is the same note, and nobody else’s id may be taken', async () => {
  const given = note({ noteId: randomUUID() })
  const [first, second] = await Promise.all([addNote(store.db, support, given), addNote(store.db, support, given)])
  expect(second).toEqual(first)
  expect((await listNotes(store.db, viewer, { kind: 'payment', object: given.objectId })).notes).toHaveLength(1)
  const rows = await store.db.select().from(activity)
  expect(rows.filter(({ objectId }) => objectId === given.objectId)).toHaveLength(1)
  await expect(addNote(store.db, colleague, given)).rejects.toMatchObject({ code: 'conflict' })
  for (const changes of [{ text: 'Paid' }, { objectId: randomUUID() }])
    await expect(addNote(store.db, support, { ...given, ...changes })).rejects.toMatchObject({ code: 'conflict' })
})

it('a note is written on a payment whose name the store can’t hold', async () => {
  const { objectName } = await addNote(store.db, support, note({ objectName: 'INV\0-\uD800' }))
  expect(objectName).toBe('INV\uFFFD-\uFFFD')
})

it('a task is its assignee’s until it is done, the due one first', async () => {
  const first = await addNote(store.db, support, note({ assigneeId: colleague.userId, dueDay: '2026-12-02' }))
  const due = await addNote(store.db, support, note({ assigneeId: colleague.userId, dueDay: '2026-12-01' }))
  const ids = async () => (await listTasks(store.db, colleague)).map(({ noteId }) => noteId)
  expect(await ids()).toEqual([due.noteId, first.noteId])
  expect(await listTasks(store.db, support)).toEqual([])
  expect(await changeNote(store.db, colleague, due.noteId, true)).toMatchObject({ doneBy: colleague.email })
  expect(await ids()).toEqual([first.noteId])
  await changeNote(store.db, colleague, due.noteId, false)
  expect(await ids()).toEqual([due.noteId, first.noteId])
})

it.each(['a stranger', 'a viewer'])('a task can’t be given to %s', async (who) => {
  const assigneeId = who === 'a viewer' ? viewer.userId : randomUUID()
  await expect(addNote(store.db, support, note({ assigneeId }))).rejects.toMatchObject({ code: 'bad-request' })
})

it('a note is deleted by its author or an admin, and the log keeps what was done', async () => {
  const { noteId, objectId } = await addNote(store.db, support, note())
  await expect(deleteNote(store.db, colleague, noteId)).rejects.toMatchObject({ code: 'forbidden' })
  await deleteNote(store.db, await member('admin'), noteId)
  await expect(changeNote(store.db, support, noteId, true)).rejects.toMatchObject({ code: 'not-found' })
  const rows = await store.db.select().from(activity).orderBy(asc(activity.sequence))
  expect(rows.filter((row) => row.objectId === objectId).map(({ action }) => action)).toEqual([
    'note.added',
    'note.deleted',
  ])
})
