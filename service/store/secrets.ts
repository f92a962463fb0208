import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { DatabaseError } from '@/lib/database/errors'
import type { Database } from '@/lib/database/database'
import { secrets } from './schema'

/** Prefix of encrypted values, which distinguishes them from plain ones stored by earlier versions. */
const encryptedPrefix = 'sealed:'

function deriveKey(secret: string, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `direct-debit service ${name}`, 32))
}

/** Encrypts a secret for the database: AES-256-GCM with a separate key per `name`. */
export function encryptSecret(secret: string, name: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, name), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return encryptedPrefix + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

export function isEncrypted(stored: string): boolean {
  return stored.startsWith(encryptedPrefix)
}

/** The value encrypted under this name; null if it was encrypted with another secret or changed. */
export function decryptSecret(secret: string, name: string, stored: string): string | null {
  try {
    const bytes = Buffer.from(stored.slice(encryptedPrefix.length), 'base64url')
    const cipher = createDecipheriv('aes-256-gcm', deriveKey(secret, name), bytes.subarray(0, 12), {
      authTagLength: 16,
    })
    cipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** The key is beside the database, never in it, so that a copy of the database alone cannot be decrypted. */
const keyFile = 'seal.key'

async function createKeyFile(path: string): Promise<void> {
  const mine = `${path}.${process.pid}`
  const handle = await open(mine, 'w', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // Linked rather than renamed: when two processes start at once, the first one's file stays.
  await link(mine, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(mine, { force: true })
}

/**
 * The secret that encrypts the secrets in the database: the setting, else `seal.key` in the service's folder, created at
 * first start and readable only by its owner, else one for this process. Throws DatabaseError for a truncated file.
 */
export async function loadEncryptionSecret(folder: string | undefined, given: string | undefined): Promise<string> {
  if (given) return given
  if (!folder) return randomBytes(32).toString('base64url')
  await mkdir(folder, { recursive: true })
  const path = join(folder, keyFile)
  const read = () => readFile(path, 'utf8').catch(() => null)
  if ((await read()) === null) await createKeyFile(path)
  const secret = (await read())?.trim() ?? ''
  if (secret.length >= 32) return secret
  throw new DatabaseError(`${path} is damaged. Restore it from a backup, or set SERVICE_SECRET.`, 'XX001')
}

/**
 * A secret of the service by name, generated at first start and stored encrypted. A plain one stored by an earlier
 * version is encrypted now. Safe to call from two processes. Throws DatabaseError if it was encrypted with another
 * secret.
 */
export async function loadOrCreateSecret(db: Database, name: string, encryptionSecret: string): Promise<string> {
  const made = randomBytes(32).toString('base64url')
  await db
    .insert(secrets)
    .values({ name, value: encryptSecret(encryptionSecret, name, made) })
    .onConflictDoNothing()
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name)).limit(1)
  if (!row) throw new Error(`The secret ${name} was not stored`)
  if (!isEncrypted(row.value)) {
    await db
      .update(secrets)
      .set({ value: encryptSecret(encryptionSecret, name, row.value) })
      .where(and(eq(secrets.name, name), eq(secrets.value, row.value)))
    return loadOrCreateSecret(db, name, encryptionSecret)
  }
  const secret = decryptSecret(encryptionSecret, name, row.value)
  if (secret !== null) return secret
  throw new DatabaseError(
    "The signing secrets in the database were sealed under another SERVICE_SECRET, or another seal.key in the service's folder. Give the service that one again.",
    '28000',
  )
}
