import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { createKnownAgreement, listKnownAgreements } from '@/lib/server/agreements/known-agreements'

/** The known agreements. Returns KnownAgreements. */
const list = deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await listKnownAgreements(session)))

/** Creates an agreement (`input` is parsed by the contract) and remembers it. Returns the API's reply. */
const create = deskRoute(
  { permission: 'manage', body: z.strictObject({ input: z.unknown(), key: uuidSegment }) },
  async ({ session, body }) =>
    Response.json({ reply: (await createKnownAgreement(session, body.input, body.key)) ?? null }, { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: create })
