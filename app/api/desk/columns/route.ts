import { columnChoice } from '@/lib/contract/column-choice'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'
import { keepColumnChoice } from '@/lib/server/views/column-choices'

/** Keeps which columns a list shows to the session's user. */
const keep = deskRoute({ permission: 'read', body: columnChoice }, async ({ session, body }) => {
  await keepColumnChoice(await requireStore(), session, body.list, body.columns)
  return Response.json(null)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: keep })
