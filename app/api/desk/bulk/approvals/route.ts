import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { hasPermission } from '@/lib/api-contract/permission'
import type { AwaitedApprovals } from '@/lib/domain/cancellations/approval'
import { countAwaiting } from '@/lib/server/bulk-cancellations/queries'
import { requireStore } from '@/lib/server/store/store'

/** How many bulk cancellations wait for the reader's approval; none for a role that can't give it. */
const count = deskRoute({ permission: 'read' }, async ({ session }) => {
  const mayApprove = hasPermission(session.role, 'bulk')
  const waiting = mayApprove ? await countAwaiting(await requireStore(), session.scope, session.userId) : 0
  return Response.json({ count: waiting } satisfies AwaitedApprovals)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: count })
