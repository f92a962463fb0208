import * as z from 'zod'
import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { readPeer } from '@/lib/server/runtime/peer-address'
import { confirmPassword, requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'

// One that is too long for anybody's password is a wrong one.
const body = z.strictObject({ password: z.string() })

/** Takes the password again, for what asks for a recent one. Answers `{ ok: true }`. */
const prove = deskRoute({ permission: 'read', body }, async ({ session, body: { password }, request }) => {
  await confirmPassword(await requireStore(), session, { password, peer: readPeer(request) }, new Date())
  return Response.json({ ok: true })
})

/** Whether a proof is recent enough, given in whichever tab. Answers `{ ok: true }`, or the refusal that asks for one. */
const look = deskRoute({ permission: 'read' }, async ({ session }) => {
  await requireRecentPassword(session)
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: look, POST: prove })
