import * as z from 'zod'
import { uuidSegment } from '@/lib/contract/path-segment'
import { deskRoute } from '@/lib/server/desk-route'
import { createKnownAgreement, listKnownAgreements } from '@/lib/server/known-agreements'
import { methods } from '@/lib/server/methods'

/** The agreements that the desk knows of. Answers KnownAgreements. */
const list = deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await listKnownAgreements(session)))

/** Creates an agreement (`input` as the contract has it, parsed there) and remembers it. Answers what the service said. */
const create = deskRoute(
  { permission: 'manage', body: z.strictObject({ input: z.unknown(), key: uuidSegment }) },
  async ({ session, body }) =>
    Response.json({ reply: (await createKnownAgreement(session, body.input, body.key)) ?? null }, { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: create })
