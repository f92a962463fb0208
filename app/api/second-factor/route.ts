import { methods } from '@/lib/server/http/route-handler'
import { factorProof } from '@/lib/domain/second-factor'
import { rememberDevice } from '@/lib/server/auth/known-device'
import { AppError } from '@/lib/server/runtime/app-error'
import { continueAs, describeFactors, factorRoute } from '@/lib/server/second-factor/pending-session'
import { proveFactor } from '@/lib/server/second-factor/prove-factor'

/** The factors of the account, and whether the sign-in lacks one. Returns SecondFactors. */
const describe = factorRoute(undefined, async ({ db, session }) => Response.json(await describeFactors(db, session)))

/** Proves the second factor of a sign-in that lacks it, which counts from then on. Returns `{ ok: true }`. */
const prove = factorRoute(factorProof, async ({ db, session, body, peer, request }) => {
  // A full session proves itself again by password and code (POST /api/desk/sessions/current/proof).
  if (session.due !== 'enter') throw new AppError('not-possible')
  const sessionId = await proveFactor(db, session, body, { peer, device: null }, new Date())
  const reply = await rememberDevice(db, request, session.userId, Response.json({ ok: true }))
  return continueAs(sessionId, session, reply)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: describe, POST: prove })
