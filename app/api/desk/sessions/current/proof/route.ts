import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { factorProof } from '@/lib/domain/second-factor'
import { readPeer } from '@/lib/server/runtime/peer-address'
import { proveAgain, requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'

// An overlong password is simply wrong.
const body = z.strictObject({ password: z.string().optional(), factor: factorProof.optional() })

/** Verifies the password or second factor for actions that require a recent proof. Returns `{ ok: true }`. */
const prove = deskRoute({ permission: 'account', body }, async ({ session, body: given, request }) => {
  await proveAgain(await requireStore(), session, { ...given, peer: readPeer(request) }, new Date())
  return Response.json({ ok: true })
})

/** Whether a proof given in any tab is recent enough. Returns `{ ok: true }` or the error that demands one. */
const checkProof = deskRoute({ permission: 'account' }, async ({ session }) => {
  await requireRecentPassword(session)
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: checkProof, POST: prove })
