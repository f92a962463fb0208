import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { factorRuleChange } from '@/lib/domain/second-factor'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { changeFactorRule } from '@/lib/server/merchants/factor-rule'
import { requireStore } from '@/lib/server/store/store'

/** Sets the roles whose people need a second factor. Returns `{ changed: true }`. */
const change = deskRoute({ permission: 'administer', body: factorRuleChange }, async ({ session, body }) => {
  await requireRecentPassword(session)
  await changeFactorRule(await requireStore(), session, body)
  return Response.json({ changed: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change })
