import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import * as refusals from '@/lib/words/refusals'
import { makeStepUp } from '../require-recent-password'
import { cancellations, sessions, users } from '../store/schema'
import type { Actor, Ledger } from './ledger'

/** How many single cancellations one person may ask for within how many milliseconds before the password is asked for. */
export type CancelVelocity = { count: number; within: number }

/**
 * Makes the single cancellations of one person wait for each other until their transactions end: many at once must not
 * all count the same rows.
 */
export async function lockSingles(tx: Database, { velocity }: Ledger, { userId }: Actor): Promise<void> {
  if (velocity)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`single cancellations ${userId}`}, 0))`)
}

/**
 * Counts a person's single cancellations at all merchants, the one just written included: those within the limit's time
 * and since this session last proved who it is. A bulk asks for its own proof. Within `lockSingles`; throws Failure
 * 'step-up'.
 */
export async function assertVelocity(tx: Database, { velocity, clock }: Ledger, actor: Actor): Promise<void> {
  if (!velocity) return
  const [session] = await tx
    .select({ provenAt: sessions.provenAt, passwordHash: users.passwordHash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, actor.sessionId), eq(sessions.userId, actor.userId)))
  const since = sql`greatest(${clock.store.sql(-velocity.within)}, ${session?.provenAt.toISOString() ?? null}::timestamptz)`
  const made = await tx.$count(
    cancellations,
    and(
      eq(cancellations.userId, actor.userId),
      isNull(cancellations.bulkId),
      sql`${cancellations.createdAt} > ${since}`,
    ),
  )
  if (made > velocity.count)
    throw makeStepUp(
      session,
      refusals.manyCancellations(velocity.count, Math.max(1, Math.round(velocity.within / 60_000))),
    )
}
