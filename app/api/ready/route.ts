import { Failure } from '@/lib/server/failure'
import { methods } from '@/lib/server/methods'
import { openRoute } from '@/lib/server/open-route'
import { problemResponse } from '@/lib/server/problem-response'
import { checkReadiness } from '@/lib/server/readiness'
import { getRequestFacts } from '@/lib/server/request-facts'

/** Says whether this desk can do its work. Not thrown: a monitor that goes on asking must not fill the log. */
async function readReadiness(): Promise<Response> {
  const reason = await checkReadiness()
  if (reason === null) return Response.json({ status: 'ready' })
  return problemResponse(new Failure(reason, { retryAfter: 5 }), getRequestFacts()?.requestId ?? '')
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openRoute('Monitors have no session; the reply names what does not work by a code alone.', readReadiness),
})
