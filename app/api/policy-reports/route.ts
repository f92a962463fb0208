import { Failure } from '@/lib/server/failure'
import { limitPerMinute } from '@/lib/server/limit-per-minute'
import { log } from '@/lib/server/log'
import { methods } from '@/lib/server/methods'
import { openRoute } from '@/lib/server/open-route'
import { isFromOwnOrigin } from '@/lib/server/own-origin'
import { readPolicyReport } from '@/lib/server/read-policy-report'

/** A page that is attacked, or one of ours that is wrong, shows in the first few; the rest would only fill the log. */
const mostReports = 60

/** Writes down what the policy of a page kept out. Answers 204. */
async function receive(request: Request): Promise<Response> {
  if (!isFromOwnOrigin(request.headers)) throw new Failure('cross-origin')
  limitPerMinute('policy reports', mostReports)
  log.warn({ event: 'policy-violation', ...(await readPolicyReport(request)) })
  return new Response(null, { status: 204 })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: openRoute('Browsers report by themselves, also from the sign-in page; a report is a line of the log.', receive),
})
