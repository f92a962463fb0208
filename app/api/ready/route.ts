import { methods, openRoute } from '@/lib/server/http/route-handler'
import { AppError } from '@/lib/server/runtime/app-error'
import { createProblemResponse } from '@/lib/server/http/problem-details'
import { checkReadiness } from '@/lib/server/runtime/readiness'
import { getRequestContext } from '@/lib/server/runtime/request-context'

/** Readiness. Failures are returned rather than thrown: a polling monitor must not fill the log. */
async function readReadiness(): Promise<Response> {
  const reason = await checkReadiness()
  if (reason === null) return Response.json({ status: 'ready' })
  return createProblemResponse(new AppError(reason, { retryAfter: 5 }), getRequestContext()?.requestId ?? '')
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openRoute('Monitors have no session; the reply names what does not work by a code alone.', readReadiness),
})
