import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { chooseLanguage } from '@/lib/language/choose-language'
import { languages } from '@/lib/messages/languages'
import { users } from '@/lib/server/store/schema'
import { requireStore } from '@/lib/server/store/store'

const body = z.strictObject({ language: z.enum(languages).nullable() })

/** Sets the language of the caller's account; null for the browser's. Returns the language that holds from now on. */
const setLanguage = deskRoute({ permission: 'account', body }, async ({ session, body: { language }, request }) => {
  const db = await requireStore()
  await db.update(users).set({ language }).where(eq(users.id, session.userId))
  return Response.json({ language: language ?? chooseLanguage(undefined, request.headers.get('accept-language')) })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: setLanguage })
