import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { readSessionTimes } from '@/lib/server/auth/own-sessions'

/** The remaining time of the caller's session. Returns SessionTimes; a quiet request does not extend it. */
const read = deskRoute({ permission: 'account' }, async ({ session }) =>
  Response.json(await readSessionTimes(session.sessionId)),
)

/** Extends the session, which any request that isn't quiet does. Returns SessionTimes. */
const stay = deskRoute({ permission: 'account' }, async ({ session }) =>
  Response.json(await readSessionTimes(session.sessionId)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: stay })
