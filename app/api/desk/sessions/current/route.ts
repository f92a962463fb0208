import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { readSessionTimes } from '@/lib/server/auth/own-sessions'
import type { Session } from '@/lib/server/auth/session'
import type { CurrentSession } from '@/lib/domain/accounts'

async function reply({ sessionId, role }: Session): Promise<Response> {
  const current: CurrentSession = { ...(await readSessionTimes(sessionId)), role }
  return Response.json(current)
}

/** The caller's session. Returns CurrentSession; a quiet request does not extend it. */
const read = deskRoute({ permission: 'account' }, ({ session }) => reply(session))

/** Extends the session, which any request that isn't quiet does. Returns CurrentSession. */
const stay = deskRoute({ permission: 'account' }, ({ session }) => reply(session))

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: stay })
