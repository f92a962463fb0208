import * as z from 'zod'
import { invalidateCapabilities, probeCapabilities } from '@/lib/server/upstream/capabilities'
import { deskRoute, methods } from '@/lib/server/http/route-handler'

const list = z.enum(['listPayments', 'listCustomers', 'listMandates'])

/** What a list was proven to do; proves it first where that is not known. Answers `{ proofs }`. */
const read = deskRoute(
  { permission: 'read', writes: true, query: z.strictObject({ list }) },
  async ({ session, query }) => Response.json({ proofs: await probeCapabilities(session, query.list) }),
)

/** An answer of the service contradicted what was proven: it is proven again. Answers `{ proofs }`. */
const doubt = deskRoute(
  { permission: 'read', body: z.strictObject({ list, abilities: z.array(z.string().max(100)).max(50) }) },
  async ({ session, body }) => {
    await invalidateCapabilities(session, body.list, body.abilities)
    return Response.json({ proofs: await probeCapabilities(session, body.list) })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: doubt })
