import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { personRequest } from '@/lib/domain/people'
import { showKept } from '@/lib/server/people/kept'
import { requireStore } from '@/lib/server/store/store'

/** What is kept about a person, counted. A POST, since names don't belong into addresses. Returns KeptAbout. */
const show = deskRoute({ permission: 'administer', body: personRequest }, async ({ session, body }) =>
  Response.json(await showKept(await requireStore(), session, body)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: show })
