import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What stands before a sealed value, so that one which was kept plain by an earlier version can be told from it. */
const mark = 'sealed:'

function deriveKey(secret: string, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `direct-debit service ${name}`, 32))
}

/** A secret as it may lie in the database: AES-256-GCM under a key of its own for `name`. */
export function seal(secret: string, name: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, name), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return mark + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Whether a stored value was sealed. */
export function isSealed(stored: string): boolean {
  return stored.startsWith(mark)
}

/** What was sealed under this name; null where it was sealed with another secret or was changed. */
export function unseal(secret: string, name: string, stored: string): string | null {
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
