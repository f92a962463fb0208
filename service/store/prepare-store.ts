import { randomBytes } from 'node:crypto'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { hashToken } from '../auth'
import { fill } from '../seed/fill'
import { credentials, merchants, secrets } from './schema'

async function keepSecret(db: Database, name: string): Promise<string> {
  await db
    .insert(secrets)
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflictDoNothing()
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name)).limit(1)
  if (!row) throw new Error(`The secret ${name} was not stored`)
  return row.value
}

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
  { token, seedPayments, now }: { token: string; seedPayments: number; now: Date },
): Promise<{ cursorSecret: string; webhookSecret: string }> {
  const filled = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${merchants} in share row exclusive mode`)
    const [first] = await tx.select({ id: merchants.id }).from(merchants).orderBy(asc(merchants.createdAt)).limit(1)
    const merchantId = first?.id ?? (await fill(tx, seedPayments, now))
    await keepCredential(tx, merchantId, token, now)
    return first === undefined
  })
  if (filled) await db.execute(sql`vacuum analyze`)
  return { cursorSecret: await keepSecret(db, 'cursor'), webhookSecret: await keepSecret(db, 'webhook') }
}
