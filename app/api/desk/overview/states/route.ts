import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { readStateCounts } from '@/lib/server/overview/state-counts'

/** How many payments are in each state, as StateCounts. */
const read = deskRoute(
  { permission: 'read', query: z.strictObject({ anew: z.literal('1').optional() }) },
  async ({ session, query }) => Response.json(await readStateCounts(session, query.anew !== undefined)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
