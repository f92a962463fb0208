import { and, count as countRows, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '@/lib/database/database'
import { createStepUpError } from '../auth/step-up'
import { AppError } from '../runtime/app-error'
import { bulks } from '../store/bulk-schema'
import { hasFactor } from '../store/factor-schema'
import { cancellations, sessions, users } from '../store/schema'
import type { Actor, CancelVelocity, Ledger } from './ledger'
import * as m from '@/lib/messages/m'

/** Serialises a user's single cancellations until their transactions end, so that each counts the others' rows. */
export async function lockSingles(tx: Database, { velocity }: Ledger, { userId }: Actor): Promise<void> {
  if (velocity)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`single cancellations ${userId}`}, 0))`)
}

/** When a user's single cancellations were requested. A list of one payment is one, unless a second person approved it. */
function selectSingles(tx: Database, { userId }: Actor) {
  const { createdAt, bulkId } = cancellations
  const { startedAt, decidedAt } = bulks
  return unionAll(
    tx
      .select({ at: sql<Date>`${createdAt}`.as('at') })
      .from(cancellations)
      .where(and(eq(cancellations.userId, userId), isNull(bulkId))),
    tx
      .select({ at: sql<Date>`${startedAt}`.as('at') })
      .from(bulks)
      .where(and(eq(bulks.userId, userId), eq(bulks.count, 1), isNotNull(startedAt), isNull(decidedAt))),
  ).as('singles')
}

/** A token can't prove anything again: it waits until the oldest of too many has left the limit's time. */
async function slowDown(
  tx: Database,
  { count, within }: CancelVelocity,
  { store }: Ledger['clock'],
  actor: Actor,
  why: string,
): Promise<AppError> {
  const singles = selectSingles(tx, actor)
  const [oldest] = await tx
    .select({ wait: sql<number>`extract(epoch from ${singles.at} - ${store.sql(-within)})::float8` })
    .from(singles)
    .orderBy(desc(singles.at))
    .offset(count)
    .limit(1)
  const retryAfter = Math.max(1, Math.ceil(oldest?.wait ?? within / 1_000))
  return new AppError('too-many-attempts', { retryAfter, detail: why })
}

/**
 * Counts a user's single cancellations at all merchants, including the one just written, within the limit's time and
 * since the session's last step-up. Longer lists require their own step-up. Call after `lockSingles`. Throws AppError
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
  const singles = selectSingles(tx, actor)
  const [counted] = await tx.select({ total: countRows() }).from(singles).where(sql`${singles.at} > ${since}`)
  if ((counted?.total ?? 0) <= velocity.count) return
  const minutes = Math.max(1, Math.round(velocity.within / 60_000))
  if (actor.apiToken) {
    const why = m.refusals_cancelSeveralAsOneList({ count: velocity.count, minutes })
    throw await slowDown(tx, velocity, clock, actor, why)
  }
  throw createStepUpError(session, m.refusals_manyCancellations({ count: velocity.count, minutes }))
}
