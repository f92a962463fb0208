import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { getSettings } from './settings'

/** A key of its own for each purpose, from the one secret that the desk is given. */
function deriveKey(purpose: string): Buffer {
  const { NEXTAUTH_SECRET } = getSettings()
  if (!NEXTAUTH_SECRET) throw new Error('NEXTAUTH_SECRET is needed to keep secrets')
  return Buffer.from(hkdfSync('sha256', NEXTAUTH_SECRET, '', `debitdesk ${purpose}`, 32))
}

/** A secret as it may lie in the store: AES-256-GCM, base64url of nonce, tag and text. */
export function sealSecret(secret: string, purpose: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(purpose), nonce)
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

/** What was sealed for this purpose; null where it was sealed with another key or was changed. */
export function openSecret(sealed: string, purpose: string): string | null {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const cipher = createDecipheriv('aes-256-gcm', deriveKey(purpose), bytes.subarray(0, 12), { authTagLength: 16 })
    cipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/**
 * Names the key of today without telling anything of it: 12 hex digits, kept beside what is sealed, so that a
 * NEXTAUTH_SECRET which was changed since can be told from damage.
 */
export function nameSealKey(): string {
  return deriveKey('key name').toString('hex', 0, 6)
}
