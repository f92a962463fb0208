import { factorProof } from '@/lib/domain/second-factor'
import { methods } from '@/lib/server/http/route-handler'
import { describeFactors, factorRoute } from '@/lib/server/second-factor/pending-session'
import { proveFactor } from '@/lib/server/second-factor/prove-factor'

/** The factors of the account, and whether the sign-in lacks one. Returns SecondFactors. */
const describe = factorRoute(undefined, async ({ db, session }) => Response.json(await describeFactors(db, session)))

/** Proves the second factor of the sign-in, which counts from then on. Returns `{ ok: true }`. */
const prove = factorRoute(factorProof, async ({ db, session, body, peer }) => {
  await proveFactor(db, session, body, { peer, device: null }, new Date())
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: describe, POST: prove })
