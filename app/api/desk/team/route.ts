import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { roles } from '@/lib/api-contract/permission'
import { MAX_EMAIL_LENGTH } from '@/lib/server/auth/users'
import { inviteUser } from '@/lib/server/team/commands'
import { listTeam } from '@/lib/server/team/queries'
import * as m from '@/lib/messages/m'

const body = z.strictObject({
  email: z
    .string()
    .max(320, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: MAX_EMAIL_LENGTH }) }),
  role: z.enum(roles),
})

/** The merchant's team. Returns Team. */
const list = deskRoute({ permission: 'administer' }, async ({ session }) => Response.json(await listTeam(session)))

/** Invites a member. Returns Invitation. */
const invite = deskRoute({ permission: 'administer', body }, async ({ session, body: given }) =>
  Response.json(await inviteUser(session, given), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: invite })
