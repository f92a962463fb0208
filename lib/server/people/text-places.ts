import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { hasOmissions, isRecord } from '@/lib/api-contract/record-fields'
import { parseEvent } from '@/lib/domain/webhooks'
import { erasedText } from '@/lib/domain/people'
import { parseReply } from '../http/parse-json'
import { decryptStored, encryptSecret } from '../store/encryption'
import { inboxMessages } from '../store/inbox-schema'
import { notes } from '../store/note-schema'
import { savedViews } from '../store/saved-view-schema'
import { bodyPurpose } from '../webhooks/inbox'
import { isAboutPerson, isOwnId, mentionsPerson, namesPerson, type Person, redactText } from './person'
import { definePlace, followKey } from './place'

type Note = typeof notes.$inferSelect
type NoteChange = 'delete' | Pick<Note, 'text' | 'objectName'>

/** Notes: those on the person's own records are deleted, in others their values are replaced. */
export const notePlace = definePlace<Note, NoteChange>({
  kind: 'note',
  pages: (db, { connectionId }) =>
    followKey(
      (after: string | null, limit) =>
        db
          .select()
          .from(notes)
          .where(and(eq(notes.connectionId, connectionId), after === null ? undefined : gt(notes.id, after)))
          .orderBy(asc(notes.id))
          .limit(limit),
      ({ id }) => id,
    ),
  inspect: (row, person) => {
    const isOwn = isOwnId(person, row.objectId)
    if (!isOwn && !namesPerson(person, `${row.text}\n${row.objectName}`)) return null
    const redacted = { text: redactText(person, row.text), objectName: redactText(person, row.objectName) }
    return { shown: { ...row }, change: isOwn ? 'delete' : redacted, open: null }
  },
  lock: (tx, rows) =>
    tx
      .select()
      .from(notes)
      .where(
        inArray(
          notes.id,
          rows.map(({ id }) => id),
        ),
      )
      .orderBy(asc(notes.id))
      .for('update'),
  store: async (tx, changes) => {
    for (const { row, change } of changes)
      await (change === 'delete'
        ? tx.delete(notes).where(eq(notes.id, row.id))
        : tx.update(notes).set(change).where(eq(notes.id, row.id)))
  },
})

type View = typeof savedViews.$inferSelect

/** Whether the address of a list is about the person: `search=Anna+S%C3%B8rensen` is, too. */
const isAboutQuery = (person: Person, query: string) =>
  [...new URLSearchParams(query)].some(
    ([name, value]) => mentionsPerson(person, name) || isAboutPerson(person, value, name),
  )

/** Saved views that are about the person, by name or filter, are deleted: without it they would show something else. */
export const viewPlace = definePlace<View, 'delete'>({
  kind: 'view',
  pages: (db, { connectionId }) =>
    followKey(
      (after: string | null, limit) =>
        db
          .select()
          .from(savedViews)
          .where(and(eq(savedViews.connectionId, connectionId), after === null ? undefined : gt(savedViews.id, after)))
          .orderBy(asc(savedViews.id))
          .limit(limit),
      ({ id }) => id,
    ),
  inspect: ({ id, list, name, query, savedBy, isShared, createdAt }, person) =>
    mentionsPerson(person, name) || isAboutQuery(person, query)
      ? { shown: { id, list, name, query, savedBy, isShared, createdAt }, change: 'delete', open: null }
      : null,
  lock: (tx, rows) =>
    tx
      .select()
      .from(savedViews)
      .where(
        inArray(
          savedViews.id,
          rows.map(({ id }) => id),
        ),
      )
      .orderBy(asc(savedViews.id))
      .for('update'),
  store: async (tx, changes) => {
    await tx.delete(savedViews).where(
      inArray(
        savedViews.id,
        changes.map(({ row }) => row.id),
      ),
    )
  },
})

type Message = typeof inboxMessages.$inferSelect

const readBody = ({ connectionId, body, sealed }: Message) => decryptStored(body, sealed, bodyPurpose(connectionId))

/** Whether a delivery is about the person. Where it can't be read, or not wholly, its text is searched. */
function isAboutBody(person: Person, body: string): boolean {
  try {
    const read = parseReply(body)
    if (isAboutPerson(person, read)) return true
    const isWhole = ![read].flat(Infinity).some((one) => isRecord(one) && hasOmissions(one))
    return !isWhole && mentionsPerson(person, body)
  } catch {
    return mentionsPerson(person, body)
  }
}

/** What is left of a delivery: that something of this kind happened to this record. */
function strip(body: string | null, person: Person): string {
  if (body === JSON.stringify(erasedText)) return body
  try {
    const { objectType, eventType, timeStamp, id } = parseEvent(body === null ? null : parseReply(body))
    const event = { objectType, eventType, timeStamp, data: { id, note: erasedText } }
    return namesPerson(person, JSON.stringify(event)) ? JSON.stringify(erasedText) : JSON.stringify(event)
  } catch {
    return JSON.stringify(erasedText)
  }
}

/** Received deliveries: their webhook id stays, by which repeated ones are known. One that can't be decrypted is emptied too. */
export const deliveryPlace = definePlace<Message, Pick<Message, 'body' | 'sealed'>>({
  kind: 'delivery',
  pages: (db, { connectionId }) =>
    followKey(
      (after: number | null, limit) =>
        db
          .select()
          .from(inboxMessages)
          .where(
            and(
              eq(inboxMessages.connectionId, connectionId),
              after === null ? undefined : gt(inboxMessages.sequence, after),
            ),
          )
          .orderBy(asc(inboxMessages.sequence))
          .limit(limit),
      ({ sequence }) => sequence,
    ),
  inspect: (row, person) => {
    const body = readBody(row)
    const isOwn = isOwnId(person, row.paymentId)
    if (body !== null && !isOwn && !isAboutBody(person, body)) return null
    const left = strip(body, person)
    const { sequence, receivedAt, headers, verdict, webhookId, eventType, paymentId } = row
    return {
      shown: { sequence, receivedAt, headers, verdict, webhookId, eventType, paymentId, body },
      change: left === body ? null : { body: encryptSecret(left, bodyPurpose(row.connectionId)), sealed: true },
      open: null,
    }
  },
  lock: (tx, rows) =>
    tx
      .select()
      .from(inboxMessages)
      .where(
        inArray(
          inboxMessages.sequence,
          rows.map(({ sequence }) => sequence),
        ),
      )
      .orderBy(asc(inboxMessages.sequence))
      .for('update'),
  store: async (tx, changes) => {
    for (const { row, change } of changes)
      await tx.update(inboxMessages).set(change).where(eq(inboxMessages.sequence, row.sequence))
  },
})
