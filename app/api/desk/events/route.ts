import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { openEventStream } from '@/lib/server/changes/event-streams'
import { getRequestContext } from '@/lib/server/runtime/request-context'

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Next compresses, and proxies may, unless told not to; nginx also collects a reply unless told not to.
  'cache-control': 'no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Tells a page that something of its merchant changed, as Server-Sent Events of a ChangeEvent each. 204 where this desk
 * hears of no changes: the page polls.
 */
const follow = deskRoute({ permission: 'account' }, async ({ session, request }) => {
  if (request.method === 'HEAD') return new Response(null, { headers: streamHeaders })
  const stream = await openEventStream(session)
  if (!stream) return new Response(null, { status: 204 })
  getRequestContext()?.leaveQueue?.()
  return new Response(stream.body, { headers: streamHeaders })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: follow })
