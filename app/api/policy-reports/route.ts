import { Failure } from '@/lib/server/failure'
import { methods } from '@/lib/server/methods'
import { openRoute } from '@/lib/server/open-route'
import { isFromOwnOrigin } from '@/lib/server/own-origin'
import { readPeer } from '@/lib/server/peer-address'
import { readPolicyReport } from '@/lib/server/read-policy-report'
import { RepeatLimit } from '@/lib/server/repeat-limit'
import { logSecurityEvent } from '@/lib/server/security-log'
import { groupPeer } from '@/lib/server/trusted-proxies'

/** A page that is attacked, or one of ours that is wrong, shows in the first few; the rest would only fill the log. */
const MAX_REPORTS_PER_PEER = 10
/** More than one peer can use up: a stranger's reports do not keep out those of others. */
const MAX_REPORTS = 200
const WINDOW_SECONDS = 15 * 60

declare global {
  /** One per process, in whichever of Next's module graphs it began. */
  var debitdeskPolicyReports: RepeatLimit | undefined
}

function getLimit(): RepeatLimit {
  return (globalThis.debitdeskPolicyReports ??= new RepeatLimit({
    windowMs: WINDOW_SECONDS * 1_000,
    most: MAX_REPORTS,
    report: (heldBack) => {
      for (const { subject, count, peers, otherPeers } of heldBack)
        logSecurityEvent({ event: 'repeated', what: subject, count, seconds: WINDOW_SECONDS, peers, otherPeers })
    },
  }))
}

/** Writes down what the policy of a page kept out. Answers 204. */
async function receive(request: Request): Promise<Response> {
  if (!isFromOwnOrigin(request.headers)) throw new Failure('cross-origin')
  const peer = groupPeer(readPeer(request))
  if (!getLimit().pass({ subject: 'policy-violation', peer }, { slot: peer, most: MAX_REPORTS_PER_PEER }))
    throw new Failure('too-many-attempts', { retryAfter: WINDOW_SECONDS })
  logSecurityEvent({ event: 'policy-violation', ...(await readPolicyReport(request)) })
  return new Response(null, { status: 204 })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: openRoute('Browsers report by themselves, also from the sign-in page; a report is a line of the log.', receive),
})
