import { mayRole, type Permission } from '@/lib/contract/permission'
import type { AnswerFacts } from './answer'
import { Failure } from './failure'
import { readCookies } from './read-cookies'
import { assertSameOrigin } from './same-origin'
import { readSessionFrom, type Session } from './session'
import { getSessionCookies } from './session-cookie'

/** Finds the session of a request; null when nobody is signed in. */
export type SessionReader = (request: Request) => Promise<Session | null>

/** By the session cookie of the request itself: a handler then needs nothing of Next's to know who asks. */
const readRequestSession: SessionReader = ({ headers }) => {
  const { name } = getSessionCookies().sessionToken
  return readSessionFrom(readCookies(headers.get('cookie'), [name])[name])
}

/**
 * Lets a request in: proof that it came from the desk if it could change something, then a session, then
 * the permission of its role. Throws Failure 'cross-origin', 'signed-out' or 'forbidden'; `facts` then
 * know who was refused.
 */
export async function admit(
  request: Request,
  permission: Permission,
  facts: AnswerFacts,
  read: SessionReader = readRequestSession,
): Promise<Session> {
  if (request.method !== 'GET' && request.method !== 'HEAD') assertSameOrigin(request)
  const session = await read(request)
  if (!session) throw new Failure('signed-out')
  facts.userId = session.userId
  if (!mayRole(session.role, permission)) throw new Failure('forbidden')
  return session
}
