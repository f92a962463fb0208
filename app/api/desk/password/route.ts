import * as z from 'zod'
import { changeOwnPassword } from '@/lib/server/change-own-password'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { readPeer } from '@/lib/server/peer-address'

const body = z.strictObject({ current: z.string().max(1_024), password: z.string().max(1_024) })

/** Changes the caller's own password; every other sign-in ends. Answers `{ ok: true }`. */
const change = deskRoute({ permission: 'read', body }, async ({ session, body: given, request }) => {
  await changeOwnPassword(session, { ...given, peer: readPeer(request) })
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change })
