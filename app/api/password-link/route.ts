import { methods, openRoute } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { isKnownBrowser, rememberDevice } from '@/lib/server/auth/known-device'
import { parsePart } from '@/lib/server/http/parse-input'
import { readForm } from '@/lib/server/http/request-input'
import { assertSameOrigin } from '@/lib/server/http/same-origin'
import { requireStore } from '@/lib/server/store/store'
import { acceptLink, describeLink, findPasswordLink } from '@/lib/server/team/password-links'

const why = 'Whoever holds a one-time link of 256 random bits has no session yet; the secret comes in the body.'
const secret = z.string().regex(/^[\w-]{43}$/u)
const looked = z.strictObject({ secret })
// The length is validated where the password is set.
const passwordBody = z.strictObject({ secret, password: z.string() })

/** Describes a link. Returns LinkInfo. */
const postLink = openRoute(why, async (request) => {
  assertSameOrigin(request)
  const { secret: given } = parsePart('body', looked, await readForm(request))
  return Response.json(await describeLink(await requireStore(), given, new Date()))
})

/** Sets the password and consumes the link. Returns `{ ok: true }`. */
const setPassword = openRoute(why, async (request) => {
  assertSameOrigin(request)
  const given = parsePart('body', passwordBody, await readForm(request))
  const [db, now] = [await requireStore(), new Date()]
  const link = await findPasswordLink(db, given.secret, now)
  // A link alone makes no browser known; one that was known stays so, though its mark goes with the old password.
  const isKnown = link !== null && (await isKnownBrowser(db, request, link.userId, now))
  await acceptLink(db, given, now)
  const reply = Response.json({ ok: true })
  return isKnown ? rememberDevice(db, request, link.userId, reply) : reply
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: postLink, PUT: setPassword })
