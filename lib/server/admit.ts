import { mayRole, type Permission } from '@/lib/contract/permission'
import type { AnswerFacts } from './answer'
import { Failure } from './failure'
import { assertSameOrigin } from './same-origin'
import { readSession, type Session } from './session'

/** Finds the session of the request being answered; null when nobody is signed in. */
export type SessionReader = () => Promise<Session | null>

/**
 * Lets a request in: proof that it came from the desk if it could change something, then a session, then
 * the permission of its role. Throws Failure 'cross-origin', 'signed-out' or 'forbidden'; `facts` then
 * know who was refused.
 */
export async function admit(
  request: Request,
  permission: Permission,
  facts: AnswerFacts,
  read: SessionReader = readSession,
): Promise<Session> {
  if (request.method !== 'GET' && request.method !== 'HEAD') assertSameOrigin(request)
  const session = await read()
  if (!session) throw new Failure('signed-out')
  facts.userId = session.userId
  if (!mayRole(session.role, permission)) throw new Failure('forbidden')
  return session
}
