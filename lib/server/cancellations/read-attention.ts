import { hasPermission, permissionForList } from '@/lib/api-contract/permission'
import type { Attention } from '@/lib/domain/attention'
import type { Session } from '../auth/session'
import { listAwaiting, listOwnRequests, listOwnUnconfirmed } from '../bulk-cancellations/queries'
import { requireStore } from '../store/store'
import { findUnsettledCancellations } from './queries'

/** What is waiting for this person. Throws AppError 'store-unavailable'. */
export async function readAttention({ scope, userId, role }: Session): Promise<Attention> {
  const store = await requireStore()
  const [awaiting, lists, requests, unknown] = await Promise.all([
    hasPermission(role, 'bulk') ? listAwaiting(store, scope, userId) : null,
    listOwnUnconfirmed(store, scope, userId),
    listOwnRequests(store, scope, userId),
    findUnsettledCancellations(scope, 'unknown'),
  ])
  // A role may have been taken away since the list was made.
  const unconfirmed = lists.filter(({ count }) => hasPermission(role, permissionForList(count)))
  return { awaiting, unconfirmed, requests, unknown }
}
