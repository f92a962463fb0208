import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { storableText } from '@/lib/domain/text/storable-text'
import { invalidateCapabilities, probeCapabilities } from '@/lib/server/upstream/capabilities'

const ability = storableText.max(100)
const list = z.enum(['listPayments', 'listCustomers', 'listMandates'])

/** The proven capabilities of a list; probes unknown ones. Returns `{ proofs }`. */
const read = deskRoute(
  { permission: 'read', writes: true, query: z.strictObject({ list }) },
  async ({ session, query }) => Response.json({ proofs: await probeCapabilities(session, query.list) }),
)

/** Re-probes capabilities that a reply contradicted. Returns `{ proofs }`. */
const doubt = deskRoute(
  { permission: 'read', body: z.strictObject({ list, abilities: z.array(ability).max(50) }) },
  async ({ session, body }) => {
    await invalidateCapabilities(session, body.list, body.abilities)
    return Response.json({ proofs: await probeCapabilities(session, body.list) })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: doubt })
