import { cookies } from 'next/headers'
import type * as z from 'zod'
import { pageUserHeader } from '@/lib/domain/accounts'
import type { FactorDue, SecondFactors } from '@/lib/domain/second-factor'
import type { Database } from '@/lib/database/database'
import { givesApiToken } from '../api-tokens/authenticate'
import { getSessionCookies } from '../auth/session-cookie'
import { readSessionToken, writeSessionCookie } from '../auth/session-token'
import { getFactorDue, readLiveSession } from '../auth/sessions'
import { parseCookies } from '../http/cookies'
import { type Parsed, parsePart } from '../http/parse-input'
import { readRequestBody } from '../http/request-input'
import { openRoute } from '../http/route-handler'
import type { RouteContext, RouteHandler } from '../http/route-declaration'
import { assertNoOtherSite, assertSameOrigin } from '../http/same-origin'
import { AppError } from '../runtime/app-error'
import { readPeer } from '../runtime/peer-address'
import { requireStore } from '../store/store'
import { listAuthenticators } from './prove-factor'
import { allowsPasskeys } from './passkeys'
import { countRecoveryCodes } from './recovery-codes'

/** A sign-in as the routes of the second factor see it: also one that lacks it. */
export type FactorSession = {
  sessionId: string
  userId: string
  email: string
  due: FactorDue | null
  needsFactor: boolean
}

/** The sign-in of a session cookie, also one that lacks its second factor; null for none. */
export async function readFactorSession(
  db: Database,
  token: string | undefined,
  now: Date,
): Promise<FactorSession | null> {
  const claims = await readSessionToken(token)
  const live = claims && (await readLiveSession(db, claims, now, { pending: true, quiet: true }))
  if (!live) return null
  const { sessionId, userId, email, needsFactor } = live
  return { sessionId, userId, email, needsFactor, due: getFactorDue(live) }
}

/** The factors of a sign-in's account. */
export async function describeFactors(db: Database, session: FactorSession): Promise<SecondFactors> {
  const { userId, email, due, needsFactor } = session
  return {
    email,
    due,
    authenticators: await listAuthenticators(db, userId),
    recoveryCodes: await countRecoveryCodes(db, userId),
    isRequired: needsFactor,
    allowsPasskeys: allowsPasskeys(),
  }
}

/** The factors of the page's sign-in, also one that lacks its second factor (`due`); null for none. */
export async function readPageFactors(): Promise<SecondFactors | null> {
  const jar = await cookies()
  const token = jar.get(getSessionCookies().sessionToken.name)?.value
  if (token === undefined) return null
  const db = await requireStore()
  const session = await readFactorSession(db, token, new Date())
  return session && describeFactors(db, session)
}

type Given<Body> = {
  db: Database
  session: FactorSession
  body: Body
  peer: string
  request: Request
  context: RouteContext
}

/** Gives the browser the cookie of its sign-in's new id, if it has one. Returns the reply. */
export async function continueAs(id: string, { sessionId, userId }: FactorSession, reply: Response): Promise<Response> {
  if (id !== sessionId) reply.headers.append('set-cookie', await writeSessionCookie({ sub: userId, sid: id }))
  return reply
}

/**
 * A handler for a sign-in that may still lack its second factor, which is no session for any other route. Checks where
 * the request comes from, the cookie and the body as `deskRoute` does.
 */
export function factorRoute<Body extends z.ZodType | undefined = undefined>(
  body: Body | undefined,
  handle: (given: Given<Parsed<Body>>) => Promise<Response>,
): RouteHandler {
  const why = 'A sign-in that lacks its second factor is no session yet; each handler checks what it may do.'
  return openRoute(why, async (request, context) => {
    if (givesApiToken(request)) throw new AppError('token-not-accepted')
    if (request.method === 'GET' || request.method === 'HEAD') assertNoOtherSite(request)
    else assertSameOrigin(request)
    const db = await requireStore()
    const { name } = getSessionCookies().sessionToken
    const token = parseCookies(request.headers.get('cookie'), [name])[name]
    const session = await readFactorSession(db, token, new Date())
    if (!session) throw new AppError('signed-out')
    const pageUser = request.headers.get(pageUserHeader)
    if (pageUser !== null && pageUser !== session.userId) throw new AppError('another-user')
    const parsed = parsePart<Body>('body', body, await readRequestBody(request))
    return handle({ db, session, body: parsed, peer: readPeer(request), request, context })
  })
}
