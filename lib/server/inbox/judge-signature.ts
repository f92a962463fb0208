import { Webhook } from 'standardwebhooks'
import type { InboxVerdict } from '@/lib/contract/inbox'

/** Whether `secret` is one that signatures can be checked with: `whsec_` and base64, 24 to 64 bytes (Standard Webhooks). */
export function isSigningSecret(secret: string): boolean {
  const encoded = secret.replace(/^whsec_/u, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(encoded)) return false
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64
}

/** Judges a delivery by Standard Webhooks: its own headers over exactly the text that came. */
export function judgeSignature(secret: string | null, headers: Record<string, string>, body: string): InboxVerdict {
  if (secret === null) return 'not-checked'
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return 'valid'
  } catch (error) {
    return error instanceof Error && /timestamp too/u.test(error.message) ? 'stale' : 'invalid'
  }
}
