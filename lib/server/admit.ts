import { mayRole, type Permission } from '@/lib/contract/permission'
import { pageUserHeader, quietHeader } from '@/lib/contract/session-times'
import { readAskedMerchant } from './asked-merchant'
import { Failure } from './failure'
import { readCookies } from './read-cookies'
import { rememberSession } from './request-facts'
import { assertNoOtherSite, assertSameOrigin } from './same-origin'
import { readSessionFrom, type Session } from './session'
import { getSessionCookies } from './session-cookie'

/** Finds the session of a request; null when nobody is signed in. */
export type SessionReader = (request: Request) => Promise<Session | null>

/** By the session cookie of the request itself: a handler then needs nothing of Next's to know who asks. */
const readRequestSession: SessionReader = (request) => {
  const { name } = getSessionCookies().sessionToken
  const cookie = readCookies(request.headers.get('cookie'), [name])[name]
  return readSessionFrom(cookie, new Date(), readAskedMerchant(request), request.headers.get(quietHeader) === '1')
}

/**
 * Lets a request in: proof that it came from the desk if it could change something, and no sign of another site
 * if it only reads, then a session, then that it is the user whose page asks, then the permission of its role. Throws Failure 'cross-origin',
 * 'signed-out', 'another-user', 'not-found' (a merchant that is not the user's, AZ-04), 'bad-request' (none is
 * named, of several) or 'forbidden'; the request's facts then know who was refused.
 */
export async function admit(
  request: Request,
  permission: Permission,
  read: SessionReader = readRequestSession,
): Promise<Session> {
  if (request.method === 'GET' || request.method === 'HEAD') assertNoOtherSite(request)
  else assertSameOrigin(request)
  const session = await read(request)
  if (!session) throw new Failure('signed-out')
  rememberSession(session)
  const pageUser = request.headers.get(pageUserHeader)
  if (pageUser !== null && pageUser !== session.userId) throw new Failure('another-user')
  if (!mayRole(session.role, permission)) throw new Failure('forbidden')
  return session
}
