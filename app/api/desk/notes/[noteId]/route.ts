import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { noteChange } from '@/lib/domain/notes'
import { changeNote, deleteNote } from '@/lib/server/notes/notes'
import { requireStore } from '@/lib/server/store/store'

const params = { noteId: uuidSegment }

/** Marks a task as done or open and returns the note. */
const change = deskRoute(
  { permission: 'cancel', params, body: noteChange },
  async ({ session, params: { noteId }, body }) =>
    Response.json(await changeNote(await requireStore(), session, noteId, body.isDone)),
)

/** Deletes a note. */
const remove = deskRoute({ permission: 'cancel', params }, async ({ session, params: { noteId } }) => {
  await deleteNote(await requireStore(), session, noteId)
  return Response.json(null)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PATCH: change, DELETE: remove })
