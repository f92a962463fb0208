import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { approvalRuleChange } from '@/lib/domain/cancellations/approval'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { changeApprovalRule } from '@/lib/server/merchants/approval-rule'
import { requireStore } from '@/lib/server/store/store'

/** Sets when a second person approves the merchant's cancellations. */
const change = deskRoute({ permission: 'administer', body: approvalRuleChange }, async ({ session, body }) => {
  await requireRecentPassword(session)
  await changeApprovalRule(await requireStore(), session, body)
  return Response.json({ changed: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change })
