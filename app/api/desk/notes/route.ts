import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { noteRequest, notesQuery } from '@/lib/domain/notes'
import { addNote, listNotes } from '@/lib/server/notes/notes'
import { requireStore } from '@/lib/server/store/store'

/** The notes on a payment or customer. Returns Notes. */
const list = deskRoute({ permission: 'read', query: notesQuery }, async ({ session, query }) =>
  Response.json(await listNotes(await requireStore(), session, query)),
)

/** Writes a note and returns it. */
const add = deskRoute({ permission: 'cancel', body: noteRequest }, async ({ session, body }) =>
  Response.json(await addNote(await requireStore(), session, body), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: add })
