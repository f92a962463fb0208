import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { getSettings, listSecrets } from '../runtime/settings'

/** Derives a key per purpose from one of the desk's secrets. */
function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `debitdesk ${purpose}`, 32))
}

function requireSecret(): string {
  const { NEXTAUTH_SECRET } = getSettings()
  if (!NEXTAUTH_SECRET) throw new Error('NEXTAUTH_SECRET is needed to keep secrets')
  return NEXTAUTH_SECRET
}

/** Encrypts a text for the store: AES-256-GCM with the current key; base64url of nonce, tag and ciphertext. */
export function encryptSecret(text: string, purpose: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(requireSecret(), purpose), nonce)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
}

function decryptWith(secret: string, sealed: string, purpose: string): string | null {
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
 * Decrypts a text with the current secret or, while NEXTAUTH_SECRET_PREVIOUS is set, the previous one; null when it was
 * encrypted with another secret or purpose, or changed.
 */
export function decryptSecret(sealed: string, purpose: string): string | null {
  for (const secret of listSecrets(getSettings())) {
    const text = decryptWith(secret, sealed, purpose)
    if (text !== null) return text
  }
  return null
}

/** Decrypts a stored text; earlier versions stored it plain, with `sealed` false. Null when it cannot be decrypted. */
export function decryptStored(text: string, sealed: boolean, purpose: string): string | null {
  return sealed ? decryptSecret(text, purpose) : text
}

/** Whether a text was encrypted with the current secret. */
export function isEncryptedWithCurrentKey(sealed: string, purpose: string): boolean {
  return decryptWith(requireSecret(), sealed, purpose) !== null
}

/**
 * Identifies the current key without revealing it: 12 hex digits, stored beside encrypted texts, which tell a changed
 * NEXTAUTH_SECRET from damage.
 */
export function currentKeyId(): string {
  return getKeyId(requireSecret())
}

/** The ids of all keys that can decrypt. */
export function listKeyIds(): string[] {
  return listSecrets(getSettings()).map(getKeyId)
}

function getKeyId(secret: string): string {
  return deriveKey(secret, 'key name').toString('hex', 0, 6)
}
