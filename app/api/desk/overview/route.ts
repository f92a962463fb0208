import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import type { Overview } from '@/lib/domain/overview'
import { getOverview } from '@/lib/server/overview/overview'

/** The minimum interval between updates, in milliseconds. */
const UPDATE_INTERVAL_MS = 150

/**
 * Streams the overview figures: lines of JSON, each an Overview, the last one with a state other than `walking`. A
 * client that disconnects ends only its own stream: the count is shared.
 */
const read = deskRoute(
  { permission: 'read', query: z.strictObject({ anew: z.literal('1').optional() }) },
  ({ session, query, request }) => {
    const walk = getOverview(session, query.anew !== undefined)
    const encoder = new TextEncoder()
    const lines = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const overview: Overview = walk.read()
        controller.enqueue(encoder.encode(`${JSON.stringify(overview)}\n`))
        if (overview.state !== 'walking' || request.signal.aborted) return controller.close()
        await Promise.all([walk.changed(), new Promise((resolve) => setTimeout(resolve, UPDATE_INTERVAL_MS))])
      },
    })
    return new Response(lines, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
