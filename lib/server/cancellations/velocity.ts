import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { createStepUpError } from '../auth/step-up'
import { hasFactor } from '../store/factor-schema'
import { cancellations, sessions, users } from '../store/schema'
import type { Actor, Ledger } from './ledger'

import * as m from '@/lib/messages/m'
/** Serialises a user's single cancellations until their transactions end, so that each counts the others' rows. */
export async function lockSingles(tx: Database, { velocity }: Ledger, { userId }: Actor): Promise<void> {
  if (velocity)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`single cancellations ${userId}`}, 0))`)
}

/**
 * Counts a user's single cancellations at all merchants, including the one just written, within the limit's time and
 * since the session's last step-up. Bulks require their own step-up. Call after `lockSingles`. Throws AppError
 * 'step-up'.
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
  if (count > velocity.count)
    throw createStepUpError(
      session,
      m.refusals_manyCancellations({
        count: velocity.count,
        minutes: Math.max(1, Math.round(velocity.within / 60_000)),
      }),
    )
}
