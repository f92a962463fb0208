import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import * as z from 'zod'
import { writeCanonicalJson } from './canonical-json'
import type { ChainHead } from './verify-chain'

/*
 * Heads of the activity log, signed with a key that the store doesn't hold. Whoever can write to the store can write
 * another log with right hashes, but no head of it; a head that was given out shows that the log was another one.
 */

/** A row that was the log's last at a moment (ISO 8601), the public key and the Ed25519 signature in base64url. */
const signedHead = z.strictObject({
  sequence: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/u),
  at: z.iso.datetime(),
  key: z.string().regex(/^[\w-]{43}$/u),
  signature: z.string().regex(/^[\w-]{86}$/u),
})

export type SignedHead = z.output<typeof signedHead>

export type HeadKey = { privateKey: KeyObject; publicKey: string }

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key of a secret text: the same text is the same key, on every desk that is given it. */
export function deriveHeadKey(secret: string): HeadKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'debitdesk activity heads', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '' }
}

function writeSigned({ sequence, hash, at, key }: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(writeCanonicalJson({ what: 'debitdesk activity head', sequence, hash, at, key }))
}

export function signHead({ sequence, hash }: ChainHead, { privateKey, publicKey }: HeadKey, now: Date): SignedHead {
  const head = { sequence, hash, at: now.toISOString(), key: publicKey }
  return { ...head, signature: sign(null, writeSigned(head), privateKey).toString('base64url') }
}

/** Whether the head was signed with the key that it names; whether that key is to be trusted is for the caller to know. */
export function isSignedByItsKey(head: SignedHead): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: head.key }, format: 'jwk' })
    return verify(null, writeSigned(head), publicKey, Buffer.from(head.signature, 'base64url'))
  } catch {
    return false
  }
}

/** One line of a file of heads; null for one that is none, such as the last line before a power cut. */
export function parseHead(line: string): SignedHead | null {
  try {
    return signedHead.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
