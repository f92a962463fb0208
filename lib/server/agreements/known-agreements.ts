import { and, asc, eq, or, sql } from 'drizzle-orm'
import { idKey } from '@/lib/domain/ids'
import type { KnownAgreement, KnownAgreements } from '@/lib/domain/agreements'
import { findNamedAgreements, type NamedAgreement, readAgreement } from './named-agreements'
import { describeError, log } from '../runtime/log'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from '../upstream/call-endpoint'
import type { TenantScope, Session } from '../auth/session'
import { agreements, idKeyOf } from '../store/schema'
import { requireStore } from '../store/store'

type Source = KnownAgreement['source']

/** A page shows so many. */
const most = 1_000

async function remember(
  scope: TenantScope,
  found: readonly NamedAgreement[],
  source: Source,
  by: string,
): Promise<void> {
  if (found.length === 0) return
  const db = await requireStore()
  const rows = new Map(found.map((one) => [one.agreementId, one]))
  const readAt = new Date()
  await db
    .insert(agreements)
    .values([...rows.values()].map((one) => ({ ...one, ...scope, source, rememberedBy: by, readAt })))
    .onConflictDoUpdate({
      target: [agreements.connectionId, agreements.agreementId],
      // How it became known stays; what the service did not say this time does not wipe what it said before.
      set: {
        handle: sql`coalesce(excluded.handle, ${agreements.handle})`,
        scheme: sql`coalesce(excluded.scheme, ${agreements.scheme})`,
        status: sql`coalesce(excluded.status, ${agreements.status})`,
        test: sql`coalesce(excluded.test, ${agreements.test})`,
        readAt,
      },
    })
}

/** Remembers an agreement that was made or opened here, for the whole team. One without id and handle cannot be. */
export async function rememberAgreement(session: Session, said: unknown, source: Source): Promise<void> {
  const found = readAgreement(said)
  if (found) await remember(session.scope, [found], source, session.email)
}

/** Forgets an agreement that the service says is gone. */
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

/** Adds what the merchant record names. Never throws: without the record the page says so. */
async function askMerchant(session: Session): Promise<KnownAgreements['merchant']> {
  try {
    const record = await callEndpoint(session, 'getMerchant', { signal: AbortSignal.timeout(4_000) })
    await remember(session.scope, findNamedAgreements(record), 'merchant', 'desk')
    return 'read'
  } catch (error) {
    log.warn({ event: 'merchant-record-unreadable', error: describeError(error) })
    return 'unreadable'
  }
}

/**
 * The agreements that the desk knows of: the interface has no list, so these are those made or opened here
 * and those that the merchant record names, oldest first. Throws AppError 'store-unavailable'.
 */
export async function listKnownAgreements(session: Session): Promise<KnownAgreements> {
  const merchant = await askMerchant(session)
  const db = await requireStore()
  const { agreementId, handle, scheme, status, test, source, rememberedBy, readAt } = agreements
  const rows = await db
    .select({ agreementId, handle, scheme, status, test, source, rememberedBy, readAt })
    .from(agreements)
    .where(eq(agreements.connectionId, session.scope.connectionId))
    .orderBy(asc(agreements.rememberedAt), asc(agreements.agreementId))
    .limit(most)
  const known = rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }))
  return { agreements: known, merchant }
}

/** Creates an agreement and remembers it. Throws what `perform` throws. */
export async function createKnownAgreement(session: Session, body: unknown, idempotencyKey: string): Promise<unknown> {
  const { reply } = await callEndpoint(session, 'createAgreement', { body, idempotencyKey })
  // Done is done: a store that falters now must not make it look undone.
  await rememberAgreement(session, reply, 'made').catch((error: unknown) =>
    log.error({ event: 'agreement-not-remembered', error: describeError(error) }),
  )
  return reply
}

/** Deletes an agreement and forgets it; one that is gone already is forgotten too. Throws what `perform` throws. */
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
