import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { hashToken } from '../auth'
import { fill } from '../seed/fill'
import { keepSecret } from './keep-secret'
import { credentials, merchants } from './schema'

/** The first merchant's `isv` credential is the token of the settings; one that was there before stops working. */
async function keepCredential(db: Database, merchantId: string, token: string, now: Date): Promise<void> {
  const tokenHash = hashToken(token)
  await db.insert(credentials).values({ tokenHash, merchantId, isv: true, createdAt: now }).onConflictDoNothing()
  await db
    .delete(credentials)
    .where(and(eq(credentials.merchantId, merchantId), eq(credentials.isv, true), ne(credentials.tokenHash, tokenHash)))
}

/**
 * Makes a migrated database ready: fills it on first start (all or nothing), keeps the demonstration
 * merchant's token, and answers the secrets behind continuations and webhook signatures. Safe to run again and from two processes.
 */
export async function prepareStore(
  db: Database,
  {
    token,
    sealSecret,
    seedPayments,
    now,
    signal,
  }: { token: string; sealSecret: string; seedPayments: number; now: Date; signal?: AbortSignal },
): Promise<{ cursorSecret: string; webhookSecret: string }> {
  const filled = await db.transaction(async (tx) => {
    // Another process may be filling it, which takes longer than any lock is waited for otherwise.
    await tx.execute(sql`set local lock_timeout = 0`)
    await tx.execute(sql`lock table ${merchants} in share row exclusive mode`)
    const [first] = await tx.select({ id: merchants.id }).from(merchants).orderBy(asc(merchants.createdAt)).limit(1)
    const merchantId = first?.id ?? (await fill(tx, seedPayments, now, signal))
    await keepCredential(tx, merchantId, token, now)
    return first === undefined
  })
  if (filled) await db.execute(sql`vacuum analyze`)
  return {
    cursorSecret: await keepSecret(db, 'cursor', sealSecret),
    webhookSecret: await keepSecret(db, 'webhook', sealSecret),
  }
}
