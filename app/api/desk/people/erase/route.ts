import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { eraseRequest } from '@/lib/domain/people'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { erasePerson } from '@/lib/server/people/kept'
import { requireOpenStore } from '@/lib/server/store/store'

/** Erases a person from the desk's own store. Returns Erased. */
const erase = deskRoute({ permission: 'administer', body: eraseRequest }, async ({ session, body }) => {
  await requireRecentPassword(session)
  return Response.json(await erasePerson(await requireOpenStore(), session, body))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: erase })
