import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { endOwnSessions, listOwnSessions } from '@/lib/server/auth/own-sessions'

/** The caller's sessions. Returns OwnSessions. */
const list = deskRoute({ permission: 'account' }, async ({ session }) => Response.json(await listOwnSessions(session)))

/** Ends all of the caller's other sessions. Returns OwnSessions. */
const endOthers = deskRoute({ permission: 'account' }, async ({ session }) => {
  await endOwnSessions(session, null)
  return Response.json(await listOwnSessions(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, DELETE: endOthers })
