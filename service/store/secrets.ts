import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { DatabaseError } from '@/lib/database/errors'
import type { Database } from '@/lib/database/database'
import { secrets } from './schema'

/** What stands before a sealed value, so that one which was kept plain by an earlier version can be told from it. */
const mark = 'sealed:'

function deriveKey(secret: string, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `direct-debit service ${name}`, 32))
}

/** A secret as it may lie in the database: AES-256-GCM under a key of its own for `name`. */
export function encryptSecret(secret: string, name: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, name), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return mark + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Whether a stored value was sealed. */
export function isEncrypted(stored: string): boolean {
  return stored.startsWith(mark)
}

/** What was sealed under this name; null where it was sealed with another secret or was changed. */
export function decryptSecret(secret: string, name: string, stored: string): string | null {
  try {
    const bytes = Buffer.from(stored.slice(mark.length), 'base64url')
    const cipher = createDecipheriv('aes-256-gcm', deriveKey(secret, name), bytes.subarray(0, 12), {
      authTagLength: 16,
    })
    cipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Beside the database, never in it: whoever has a copy of the database alone can open nothing. */
const file = 'seal.key'

async function makeFile(path: string): Promise<void> {
  const mine = `${path}.${process.pid}`
  const handle = await open(mine, 'w', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // Linked, not renamed: of two processes that start at once the first one's stays.
  await link(mine, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(mine, { force: true })
}

/**
 * The secret under which the database's own secrets are sealed: the setting where there is one, else
 * `seal.key` in the service's folder, made at first start and read by its owner alone, else one for this
 * process. Throws DatabaseError for a file that was cut short.
 */
export async function loadEncryptionSecret(folder: string | undefined, given: string | undefined): Promise<string> {
  if (given) return given
  if (!folder) return randomBytes(32).toString('base64url')
  await mkdir(folder, { recursive: true })
  const path = join(folder, file)
  const read = () => readFile(path, 'utf8').catch(() => null)
  if ((await read()) === null) await makeFile(path)
  const secret = (await read())?.trim() ?? ''
  if (secret.length >= 32) return secret
  throw new DatabaseError(`${path} is damaged. Restore it from a backup, or set SERVICE_SECRET.`, 'XX001')
}

/**
 * A secret that the service has made for itself, by name: made at first start, and kept sealed under
 * `encryptSecret`. One that an earlier version kept plain is sealed now. Safe from two processes. Throws
 * DatabaseError where it was sealed under another secret.
 */
export async function loadOrCreateSecret(db: Database, name: string, sealSecret: string): Promise<string> {
  const made = randomBytes(32).toString('base64url')
  await db
    .insert(secrets)
    .values({ name, value: encryptSecret(sealSecret, name, made) })
    .onConflictDoNothing()
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name)).limit(1)
  if (!row) throw new Error(`The secret ${name} was not stored`)
  if (!isEncrypted(row.value)) {
    await db
      .update(secrets)
      .set({ value: encryptSecret(sealSecret, name, row.value) })
      .where(and(eq(secrets.name, name), eq(secrets.value, row.value)))
    return loadOrCreateSecret(db, name, sealSecret)
  }
  const secret = decryptSecret(sealSecret, name, row.value)
  if (secret !== null) return secret
  throw new DatabaseError(
    "The signing secrets in the database were sealed under another SERVICE_SECRET, or another seal.key in the service's folder. Give the service that one again.",
    '28000',
  )
}
