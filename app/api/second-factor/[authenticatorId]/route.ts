import { methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { parseParams } from '@/lib/server/http/parse-input'
import { readRouteParams } from '@/lib/server/http/route-declaration'
import { removeFactor } from '@/lib/server/second-factor/factors'
import { factorRoute } from '@/lib/server/second-factor/pending-session'

/** Removes one of the account's factors. Returns `{ ok: true }`. */
const remove = factorRoute(undefined, async ({ db, session, context }) => {
  const { authenticatorId } = parseParams({ authenticatorId: z.uuid() }, await readRouteParams(context))
  await removeFactor(db, session, authenticatorId ?? '', new Date())
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: remove })
