import { and, asc, eq, or, sql } from 'drizzle-orm'
import { idKey } from '@/lib/domain/ids'
import type { KnownAgreement, KnownAgreements } from '@/lib/domain/agreements'
import { isStorable } from '@/lib/domain/text/is-storable'
import { findNamedAgreements, type NamedAgreement, parseNamedAgreement } from './named-agreements'
import { describeError, log } from '../runtime/log'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from '../upstream/call-endpoint'
import type { TenantScope, Session } from '../auth/session'
import { agreements, idKeyOf } from '../store/schema'
import { toStorable } from '../store/to-storable'
import { requireStore } from '../store/store'

type Source = KnownAgreement['source']

/** Agreements on the page. */
const MAX_AGREEMENTS = 1_000

/** A longer id doesn't fit the key's index, of which an entry has at most 2,704 bytes. */
const MAX_ID_LENGTH = 500

/** An agreement as the store can hold it; one whose id it can't hold is none, for another text would be another id. */
function toStorableAgreement(found: NamedAgreement): NamedAgreement[] {
  const { agreementId, handle, scheme, status } = found
  if (!isStorable(agreementId) || agreementId.length > MAX_ID_LENGTH) return []
  const storable = { scheme: toStorable(scheme), status: toStorable(status) }
  return [{ ...found, ...storable, handle: handle !== null && isStorable(handle) ? handle : null }]
}

async function remember(
  scope: TenantScope,
  found: readonly NamedAgreement[],
  source: Source,
  by: string,
): Promise<void> {
  const rows = new Map(found.flatMap(toStorableAgreement).map((one) => [one.agreementId, one]))
  if (rows.size === 0) return
  const db = await requireStore()
  const readAt = new Date()
  await db
    .insert(agreements)
    .values([...rows.values()].map((one) => ({ ...one, ...scope, source, rememberedBy: by, readAt })))
    .onConflictDoUpdate({
      target: [agreements.connectionId, agreements.agreementId],
      // `source` stays, and fields missing from this reply keep their earlier values.
      set: {
        handle: sql`coalesce(excluded.handle, ${agreements.handle})`,
        scheme: sql`coalesce(excluded.scheme, ${agreements.scheme})`,
        status: sql`coalesce(excluded.status, ${agreements.status})`,
        test: sql`coalesce(excluded.test, ${agreements.test})`,
        readAt,
      },
    })
}

/** Remembers an agreement for the whole team, unless the store can't hold its id, or without one its handle. */
export async function rememberAgreement(session: Session, record: unknown, source: Source): Promise<void> {
  const found = parseNamedAgreement(record)
  if (found) await remember(session.scope, [found], source, session.email)
}

export async function forgetAgreement(scope: TenantScope, agreementId: string): Promise<void> {
  const db = await requireStore()
  await db
    .delete(agreements)
    .where(
      and(
        eq(agreements.connectionId, scope.connectionId),
        or(eq(idKeyOf(agreements.agreementId), idKey(agreementId)), eq(agreements.handle, agreementId)),
      ),
    )
}

/** Adds agreements named in the merchant record. Never throws: the page reports a missing record. */
async function readMerchantAgreements(session: Session): Promise<KnownAgreements['merchant']> {
  try {
    const record = await callEndpoint(session, 'getMerchant', { signal: AbortSignal.timeout(4_000) })
    await remember(session.scope, findNamedAgreements(record), 'merchant', 'desk')
    return 'read'
  } catch (error) {
    // A 404 is no exception: a wrong base address is answered so, too.
    log.warn({ event: 'merchant-record-unreadable', error: describeError(error) })
    return 'unreadable'
  }
}

/**
 * The known agreements, oldest first: the API has no list, so these were created or opened here, or are named in the
 * merchant record. Throws AppError 'store-unavailable'.
 */
export async function listKnownAgreements(session: Session): Promise<KnownAgreements> {
  const merchant = await readMerchantAgreements(session)
  const db = await requireStore()
  const { agreementId, handle, scheme, status, test, source, rememberedBy, readAt } = agreements
  const rows = await db
    .select({ agreementId, handle, scheme, status, test, source, rememberedBy, readAt })
    .from(agreements)
    .where(eq(agreements.connectionId, session.scope.connectionId))
    .orderBy(asc(agreements.rememberedAt), asc(agreements.agreementId))
    .limit(MAX_AGREEMENTS)
  const known = rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }))
  return { agreements: known, merchant }
}

export async function createKnownAgreement(session: Session, body: unknown, idempotencyKey: string): Promise<unknown> {
  const { reply } = await callEndpoint(session, 'createAgreement', { body, idempotencyKey })
  // The agreement exists; a store failure must not suggest otherwise.
  await rememberAgreement(session, reply, 'made').catch((error: unknown) =>
    log.error({ event: 'agreement-not-remembered', error: describeError(error) }),
  )
  return reply
}

/** Deletes an agreement and forgets it, even if it no longer exists upstream. */
export async function deleteKnownAgreement(session: Session, agreementId: string): Promise<void> {
  try {
    await callEndpoint(session, 'deleteAgreement', { params: { agreementId } })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not-found')) throw error
  }
  await forgetAgreement(session.scope, agreementId).catch((error: unknown) =>
    log.error({ event: 'agreement-not-forgotten', error: describeError(error) }),
  )
}
