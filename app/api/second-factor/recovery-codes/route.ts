import { methods } from '@/lib/server/http/route-handler'
import { renewRecoveryCodes } from '@/lib/server/second-factor/factors'
import { factorRoute } from '@/lib/server/second-factor/pending-session'

/** Replaces the recovery codes. Returns `{ recoveryCodes }`, shown once. */
const renew = factorRoute(undefined, async ({ db, session }) =>
  Response.json({ recoveryCodes: await renewRecoveryCodes(db, session, new Date()) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: renew })
