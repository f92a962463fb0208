import type { Ability, Proofs } from '@/lib/contract/ability'
import type { BulkRequest } from '@/lib/contract/bulk'
import { and, eq } from 'drizzle-orm'
import { proveAbilities, readProofs } from '../capabilities'
import { openLedger } from '../cancellations/open-ledger'
import { asOwner } from '../openid/token-owner'
import { inBackground } from '../request-facts'
import type { Session } from '../session'
import { bulks } from '../store/bulk-schema'
import type { BulkRow } from './bulk-row'
import { takeList } from './limit-lists'
import { createBulk, prepareBulk } from './prepare-bulk'

const needed: readonly Ability[] = ['eq:id', 'or']

async function readNeeded(session: Session): Promise<Proofs> {
  const known = await readProofs(session, 'listPayments')
  return needed.every((ability) => ability in known)
    ? known
    : proveAbilities(session, 'listPayments').catch(() => known)
}

/**
 * Begins a bulk: writes it down and lets its list be made after the answer; the browser follows it by asking.
 * Nothing is sent before it is confirmed. Throws Failure 'too-many-attempts' (see takeList),
 * 'store-unavailable' or what the store throws.
 */
export async function beginBulk(session: Session, request: BulkRequest): Promise<BulkRow> {
  const ledger = await openLedger(session.scope.connectionId)
  const release = takeList(session.userId)
  const bulk = await createBulk(ledger, session, request).catch((error: unknown) => {
    release()
    throw error
  })
  const prepare = async () => {
    try {
      await prepareBulk(ledger, bulk, { request, proofs: await readNeeded(session) })
    } catch (error) {
      ledger.report('bulk-list-failed', { bulkId: bulk.id, error })
      await ledger.db
        .update(bulks)
        .set({ state: 'failed', problem: 'internal', changedAt: new Date() })
        .where(and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing')))
        .catch(() => undefined)
    } finally {
      release()
    }
  }
  // Whoever asked is whose access token the list is read with.
  void inBackground(() => asOwner({ userId: session.userId }, prepare))
  return bulk
}
