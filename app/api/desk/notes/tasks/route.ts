import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { listTasks } from '@/lib/server/notes/notes'
import { requireStore } from '@/lib/server/store/store'

/** The caller's open tasks: NoteView[]. */
const list = deskRoute({ permission: 'read' }, async ({ session }) =>
  Response.json(await listTasks(await requireStore(), session)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list })
