import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { changeOwnPassword } from '@/lib/server/auth/step-up'
import { readPeer } from '@/lib/server/runtime/peer-address'

// Lengths are validated further in: an overlong password is either wrong or not acceptable.
const body = z.strictObject({ current: z.string(), password: z.string() })

/** Changes the caller's password; all other sessions end. Returns `{ ok: true }`. */
const change = deskRoute({ permission: 'account', body }, async ({ session, body: given, request }) => {
  await changeOwnPassword(session, { ...given, peer: readPeer(request) })
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change })
