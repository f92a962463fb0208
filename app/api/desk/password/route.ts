import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { rememberDevice } from '@/lib/server/auth/known-device'
import { changeOwnPassword } from '@/lib/server/auth/step-up'
import { readPeer } from '@/lib/server/runtime/peer-address'
import { requireStore } from '@/lib/server/store/store'

// Lengths are validated further in: an overlong password is either wrong or not acceptable.
const body = z.strictObject({ current: z.string(), password: z.string() })

/** Changes the caller's password; all other sessions end, and no other browser is known any more. Returns `{ ok: true }`. */
const change = deskRoute({ permission: 'account', body }, async ({ session, body: given, request }) => {
  const db = await requireStore()
  await changeOwnPassword(session, { ...given, peer: readPeer(request) })
  return rememberDevice(db, request, session.userId, Response.json({ ok: true }))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change })
