import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { readSessionTimes } from '@/lib/server/auth/own-sessions'

/** How long the caller's sign-in still holds. Answers SessionTimes; asked quietly, it prolongs nothing. */
const read = deskRoute({ permission: 'read' }, async ({ session }) =>
  Response.json(await readSessionTimes(session.sessionId)),
)

/** Somebody is there and wants to stay: being asked has prolonged the sign-in. Answers SessionTimes. */
const stay = deskRoute({ permission: 'read' }, async ({ session }) =>
  Response.json(await readSessionTimes(session.sessionId)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: stay })
