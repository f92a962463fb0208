import { methods, openRoute } from '@/lib/server/http/route-handler'
import { assertSameOrigin } from '@/lib/server/http/same-origin'
import { askForPasskey } from '@/lib/server/second-factor/passkeys'
import { factorRoute } from '@/lib/server/second-factor/pending-session'
import { requireStore } from '@/lib/server/store/store'

/** A challenge for a passkey of the sign-in's account. Returns the options of `navigator.credentials.get` as JSON. */
const askOwner = factorRoute(undefined, async ({ db, session }) =>
  Response.json(await askForPasskey(db, session, new Date())),
)

const why = 'Signing in with a passkey begins without a session. The challenge names no account and leaves no row.'

/** A challenge to sign in with, for whichever passkey the browser has. */
const askAnybody = openRoute(why, async (request) => {
  assertSameOrigin(request)
  return Response.json(await askForPasskey(await requireStore(), null, new Date()))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: askAnybody, PUT: askOwner })
