import { methods, openRoute } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { parsePart } from '@/lib/server/http/parse-input'
import { readForm } from '@/lib/server/http/request-input'
import { assertSameOrigin } from '@/lib/server/http/same-origin'
import { isMailSet } from '@/lib/server/mail/transport'
import { AppError } from '@/lib/server/runtime/app-error'
import { readPeer } from '@/lib/server/runtime/peer-address'
import { getSettings } from '@/lib/server/runtime/settings'
import { requireStore } from '@/lib/server/store/store'
import { requestPassword } from '@/lib/server/team/password-requests'

const why = 'Whoever has forgotten their password has no session. The reply is the same for every e-mail address.'
const body = z.strictObject({ email: z.string().max(320) })

/** Asks for a link to set a new password, which is mailed to the account of this address, if there is one. 202. */
const ask = openRoute(why, async (request) => {
  assertSameOrigin(request)
  if (!isMailSet() || getSettings().PASSWORDS === 'off') throw new AppError('not-found')
  const { email } = parsePart('body', body, await readForm(request))
  await requestPassword(await requireStore(), { email, peer: readPeer(request) })
  return Response.json({ ok: true }, { status: 202 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: ask })
