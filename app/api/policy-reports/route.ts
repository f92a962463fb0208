import { methods, openRoute } from '@/lib/server/http/route-handler'
import { AppError } from '@/lib/server/runtime/app-error'
import { isFromOwnOrigin } from '@/lib/server/http/same-origin'
import { groupPeer, readPeer } from '@/lib/server/runtime/peer-address'
import { getSessionCookies } from '@/lib/server/auth/session-cookie'
import { parseCookies } from '@/lib/server/http/cookies'
import { readPolicyReport } from '@/lib/server/http/policy-report'
import { getSecurityLimit, logSecurityEvent } from '@/lib/server/runtime/security-log'
import { readSessionToken } from '@/lib/server/auth/session-token'

const WINDOW_SECONDS = 15 * 60
/** The first few reports reveal an attack or a faulty page of ours; more would only fill the log. */
const MAX_REPORTS_PER_REPORTER = 10
/**
 * One limit for anonymous reports and one for signed-in users: an attacker with many addresses exhausts only the
 * anonymous one.
 */
const MAX_REPORTS = 200

/**
 * Whether the browser has a session cookie, which nobody else can forge. Whether it is still valid does not matter
 * here.
 */
async function readUserId(request: Request): Promise<string | null> {
  const { name } = getSessionCookies().sessionToken
  const claims = await readSessionToken(parseCookies(request.headers.get('cookie'), [name])[name])
  return claims?.sub ?? null
}

/** Logs CSP violation reports. Replies 204. */
async function receive(request: Request): Promise<Response> {
  if (!isFromOwnOrigin(request.headers)) throw new AppError('cross-origin')
  const peer = groupPeer(readPeer(request))
  const userId = await readUserId(request)
  const from = userId === null ? 'strangers' : 'people'
  const limit = getSecurityLimit(`policy reports of ${from}`, { seconds: WINDOW_SECONDS, most: MAX_REPORTS })
  if (!limit.pass({ subject: 'policy-violation', peer }, { slot: userId ?? peer, most: MAX_REPORTS_PER_REPORTER }))
    throw new AppError('too-many-attempts', { retryAfter: WINDOW_SECONDS })
  logSecurityEvent({ event: 'policy-violation', from, ...(await readPolicyReport(request)) })
  return new Response(null, { status: 204 })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: openRoute('Browsers report by themselves, also from the sign-in page; a report is a line of the log.', receive),
})
