import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { viewRequest, viewsQuery } from '@/lib/server/saved-views/schema'
import { requireStore } from '@/lib/server/store/store'
import { listViews, saveView } from '@/lib/server/saved-views/saved-views'

/** The saved views of a list. Returns SavedViews. */
const list = deskRoute({ permission: 'read', query: viewsQuery }, async ({ session, query }) =>
  Response.json(await listViews(await requireStore(), session, query.list)),
)

/** Saves a view and returns it. */
const save = deskRoute({ permission: 'read', body: viewRequest }, async ({ session, body }) =>
  Response.json(await saveView(await requireStore(), session, body), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: save })
