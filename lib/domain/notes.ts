import * as z from 'zod'
import { hasVisibleText } from '@/lib/api-contract/visible-text'
import * as m from '@/lib/messages/m'
import { storableText } from './text/storable-text'

export const noteKinds = ['payment', 'customer'] as const
export type NoteKind = (typeof noteKinds)[number]

export const MAX_NOTE_LENGTH = 2_000

const objectId = storableText.min(1).max(300)

/** Query of GET /api/desk/notes. */
export const notesQuery = z.strictObject({ kind: z.enum(noteKinds), object: objectId })

/** Body of POST /api/desk/notes. An assignee makes it a task. The same `noteId` sent again is the same note. */
export const noteRequest = z.strictObject({
  noteId: z.uuid().optional(),
  kind: z.enum(noteKinds),
  objectId,
  objectName: z.string().trim().max(200),
  text: storableText
    .trim()
    .refine(hasVisibleText, { error: m.contractFields_mustNotBeEmpty })
    .max(MAX_NOTE_LENGTH, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: MAX_NOTE_LENGTH }) }),
  assigneeId: z.uuid().nullable(),
  dueDay: z.iso.date().nullable(),
})
export type NoteRequest = z.output<typeof noteRequest>

/** Body of PATCH /api/desk/notes/{noteId}. */
export const noteChange = z.strictObject({ isDone: z.boolean() })

/** A note as the browser gets it. Timestamps are ISO 8601 in UTC. */
export type NoteView = {
  noteId: string
  kind: NoteKind
  objectId: string
  objectName: string
  text: string
  author: string
  assignee: string | null
  dueDay: string | null
  createdAt: string
  doneAt: string | null
  doneBy: string | null
  /** Whether the reader may mark it as done, and delete it. */
  mayChange: boolean
  mayDelete: boolean
}

/** Reply of GET /api/desk/notes: the newest first, and who can be given a task; nobody for readers who may not write. */
export type Notes = { notes: NoteView[]; people: { userId: string; email: string }[]; mayWrite: boolean }
