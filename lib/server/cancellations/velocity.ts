import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { createStepUpError } from '../auth/step-up'
import { AppError } from '../runtime/app-error'
import { hasFactor } from '../store/factor-schema'
import { cancellations, sessions, users } from '../store/schema'
import type { Actor, CancelVelocity, Ledger } from './ledger'

import * as m from '@/lib/messages/m'
/** Serialises a user's single cancellations until their transactions end, so that each counts the others' rows. */
export async function lockSingles(tx: Database, { velocity }: Ledger, { userId }: Actor): Promise<void> {
  if (velocity)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`single cancellations ${userId}`}, 0))`)
}

/** A token can't prove anything again: it waits until the oldest of too many has left the limit's time. */
async function slowDown(
  tx: Database,
  { count, within }: CancelVelocity,
  { store }: Ledger['clock'],
  { userId }: Actor,
  why: string,
): Promise<AppError> {
  const [oldest] = await tx
    .select({ wait: sql<number>`extract(epoch from ${cancellations.createdAt} - ${store.sql(-within)})::float8` })
    .from(cancellations)
    .where(and(eq(cancellations.userId, userId), isNull(cancellations.bulkId)))
    .orderBy(desc(cancellations.createdAt))
    .offset(count)
    .limit(1)
  const retryAfter = Math.max(1, Math.ceil(oldest?.wait ?? within / 1_000))
  return new AppError('too-many-attempts', { retryAfter, detail: why })
}

/**
 * Counts a user's single cancellations at all merchants, including the one just written, within the limit's time and
 * since the session's last step-up. Bulks require their own step-up. Call after `lockSingles`. Throws AppError
 * 'step-up', for a token 'too-many-attempts'.
 */
export async function assertVelocity(tx: Database, { velocity, clock }: Ledger, actor: Actor): Promise<void> {
  if (!velocity) return
  const [session] = await tx
    .select({ provenAt: sessions.provenAt, passwordHash: users.passwordHash, hasFactor })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, actor.sessionId), eq(sessions.userId, actor.userId)))
  const since = sql`greatest(${clock.store.sql(-velocity.within)}, ${session?.provenAt.toISOString() ?? null}::timestamptz)`
  const count = await tx.$count(
    cancellations,
    and(
      eq(cancellations.userId, actor.userId),
      isNull(cancellations.bulkId),
      sql`${cancellations.createdAt} > ${since}`,
    ),
  )
  if (count <= velocity.count) return
  const minutes = Math.max(1, Math.round(velocity.within / 60_000))
  const why = m.refusals_manyCancellations({ count: velocity.count, minutes })
  if (actor.apiToken) throw await slowDown(tx, velocity, clock, actor, why)
  throw createStepUpError(session, why)
}
