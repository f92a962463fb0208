import { methods } from '@/lib/server/http/route-handler'
import { totpConfirmation } from '@/lib/domain/second-factor'
import { rememberDevice } from '@/lib/server/auth/known-device'
import { addFactor, beginApp } from '@/lib/server/second-factor/factors'
import { continueAs, factorRoute } from '@/lib/server/second-factor/pending-session'

/** Begins to add an app. Returns TotpSetup. */
const begin = factorRoute(undefined, async ({ db, session }) =>
  Response.json(await beginApp(db, session, new Date()), { status: 201 }),
)

/** Adds the app once its first code is right. Returns AddedFactor. */
const confirm = factorRoute(totpConfirmation, async ({ db, session, body, request }) => {
  const { added, sessionId } = await addFactor(db, session, { kind: 'totp', ...body }, new Date())
  const reply = Response.json(added)
  // A browser is known once a factor is proven in it.
  if (session.due === 'enrol') await rememberDevice(db, request, session.userId, reply)
  return continueAs(sessionId, session, reply)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: begin, PUT: confirm })
