import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { getSettings, listSecrets } from '../runtime/settings'

/** A key of its own for each purpose, from one of the secrets that the desk is given. */
function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `debitdesk ${purpose}`, 32))
}

function requireSecret(): string {
  const { NEXTAUTH_SECRET } = getSettings()
  if (!NEXTAUTH_SECRET) throw new Error('NEXTAUTH_SECRET is needed to keep secrets')
  return NEXTAUTH_SECRET
}

/** A text as it may lie in the store: AES-256-GCM under the key of today, base64url of nonce, tag and text. */
export function encryptSecret(text: string, purpose: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(requireSecret(), purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function openWith(secret: string, sealed: string, purpose: string): string | null {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const key = deriveKey(secret, purpose)
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
    cipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/**
 * What was sealed for this purpose, with the key of today or, while NEXTAUTH_SECRET_PREVIOUS is set, the one before;
 * null where it was sealed with another key or was changed.
 */
export function decryptSecret(sealed: string, purpose: string): string | null {
  for (const secret of listSecrets(getSettings())) {
    const text = openWith(secret, sealed, purpose)
    if (text !== null) return text
  }
  return null
}

/** A kept text that earlier versions wrote plain: `sealed` says which it is. Null where it cannot be opened. */
export function decryptStored(text: string, sealed: boolean, purpose: string): string | null {
  return sealed ? decryptSecret(text, purpose) : text
}

/** Whether it opens with the key of today alone, so that it need not be sealed anew. */
export function isEncryptedWithCurrentKey(sealed: string, purpose: string): boolean {
  return openWith(requireSecret(), sealed, purpose) !== null
}

/**
 * Names the key of today without telling anything of it: 12 hex digits, kept beside what is sealed, so that a
 * NEXTAUTH_SECRET which was changed since can be told from damage.
 */
export function currentKeyId(): string {
  return nameKey(requireSecret())
}

/** The names of all keys that open what is sealed. */
export function listKeyIds(): string[] {
  return listSecrets(getSettings()).map(nameKey)
}

function nameKey(secret: string): string {
  return deriveKey(secret, 'key name').toString('hex', 0, 6)
}
