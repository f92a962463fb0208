import { methods } from '@/lib/server/http/route-handler'
import { passkeyRegistration } from '@/lib/domain/second-factor'
import { rememberDevice } from '@/lib/server/auth/known-device'
import { addFactor, beginOwnPasskey } from '@/lib/server/second-factor/factors'
import { continueAs, factorRoute } from '@/lib/server/second-factor/pending-session'

/** Begins to add a passkey. Returns the options of `navigator.credentials.create` as JSON. */
const begin = factorRoute(undefined, async ({ db, session }) =>
  Response.json(await beginOwnPasskey(db, session, new Date())),
)

/** Adds the passkey. Returns AddedFactor. */
const add = factorRoute(passkeyRegistration, async ({ db, session, body, request }) => {
  const { added, sessionId } = await addFactor(db, session, { kind: 'passkey', ...body }, new Date())
  const reply = Response.json(added)
  // A browser is known once a factor is proven in it.
  if (session.due === 'enrol') await rememberDevice(db, request, session.userId, reply)
  return continueAs(sessionId, session, reply)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: begin, PUT: add })
