import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { DatabaseRefusal } from '@/lib/database/database-refusal'
import type { Database } from '@/lib/database/open-database'
import { secrets } from './schema'
import { isSealed, seal, unseal } from './seal'

/**
 * A secret that the service has made for itself, by name: made at first start, and kept sealed under
 * `sealSecret`. One that an earlier version kept plain is sealed now. Safe from two processes. Throws
 * DatabaseRefusal where it was sealed under another secret.
 */
export async function keepSecret(db: Database, name: string, sealSecret: string): Promise<string> {
  const made = randomBytes(32).toString('base64url')
  await db
    .insert(secrets)
    .values({ name, value: seal(sealSecret, name, made) })
    .onConflictDoNothing()
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name)).limit(1)
  if (!row) throw new Error(`The secret ${name} was not stored`)
  if (!isSealed(row.value)) {
    await db
      .update(secrets)
      .set({ value: seal(sealSecret, name, row.value) })
      .where(and(eq(secrets.name, name), eq(secrets.value, row.value)))
    return keepSecret(db, name, sealSecret)
  }
  const secret = unseal(sealSecret, name, row.value)
  if (secret !== null) return secret
  throw new DatabaseRefusal(
    "The signing secrets in the database were sealed under another SERVICE_SECRET, or another seal.key in the service's folder. Give the service that one again.",
    '28000',
  )
}
