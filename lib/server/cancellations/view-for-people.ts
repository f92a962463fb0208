import type { CancellationView } from '@/lib/contract/cancellation'
import type { Database } from '@/lib/database/open-database'
import { whoIsPresent } from '../openid/find-present-owners'
import { getSettings } from '../settings'
import { defaultConnectionId } from '../store/default-connection'
import type { CancellationRow } from './ledger'
import { viewCancellation } from './views'

/**
 * Cancellations as the browser is told. Where the service is asked with the owner's own token, an open one whose owner
 * is not signed in says so: nothing is done about it, and nothing is wrong with it.
 */
export async function viewForPeople(db: Database, rows: readonly CancellationRow[]): Promise<CancellationView[]> {
  if (getSettings().UPSTREAM_AUTH !== 'session') return rows.map(viewCancellation)
  // A request that is on its way waits for nobody.
  const isOpen = ({ closedAt, connectionId, state }: CancellationRow) =>
    closedAt === null && connectionId === defaultConnectionId && state !== 'sending'
  const owners = rows.filter(isOpen).map(({ userId }) => userId)
  const present = await whoIsPresent(db, owners)
  return rows.map((row) => {
    const view = viewCancellation(row)
    if (!isOpen(row) || present.has(row.userId)) return view
    return { ...view, reason: 'owner-signed-out', detail: row.userEmail }
  })
}
