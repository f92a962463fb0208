import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { isStorable } from '@/lib/domain/text/is-storable'
import { findRecords } from '@/lib/server/search/find-records'
import * as m from '@/lib/messages/m'

const query = z.strictObject({
  q: z
    .string()
    .trim()
    .min(2)
    .max(200)
    .refine(isStorable, { error: m.requestRules_holdsCharactersThatCannotBeSearchedFor }),
})

/** Finds records by id, handle or text. Returns a SearchReply. */
const find = deskRoute({ permission: 'read', query }, async ({ session, query: { q } }) =>
  Response.json(await findRecords(session, q)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: find })
