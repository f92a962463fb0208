import * as z from 'zod'
import { changeOwnPassword } from '@/lib/server/auth/step-up'
import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { readPeer } from '@/lib/server/runtime/peer-address'

// One that is too long for anybody's password is a wrong one, or one that cannot be chosen: both are said further in.
const body = z.strictObject({ current: z.string(), password: z.string() })

/** Changes the caller's own password; every other sign-in ends. Answers `{ ok: true }`. */
const change = deskRoute({ permission: 'read', body }, async ({ session, body: given, request }) => {
  await changeOwnPassword(session, { ...given, peer: readPeer(request) })
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change })
