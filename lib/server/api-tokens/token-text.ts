import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/*
 * A token is `dd_`, 12 hexadecimal digits by which it is found, `_` and 256 random bits in base64url: the fixed beginning
 * lets secret scanners recognise it.
 */
const whole = /^(dd_[0-9a-f]{12})_[\w-]{43}$/u
const bearer = /^bearer\s+(dd_.*)$/iu

/** SHA-256 is enough for 256 random bits, which nobody can guess as they could a password. */
function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A new token: its text, and what is stored of it. */
export function createTokenText(): { text: string; prefix: string; hash: string } {
  const prefix = `dd_${randomBytes(6).toString('hex')}`
  const text = `${prefix}_${randomBytes(32).toString('base64url')}`
  return { text, prefix, hash: hashToken(text).toString('base64url') }
}

/**
 * What a request's `Authorization` gives as a token of ours, valid or not; null for none. Other credentials in `Authorization` may belong
 * to a proxy in front and say nothing here.
 */
export function readBearer(authorization: string | null | undefined): string | null {
  return bearer.exec(authorization?.trim() ?? '')?.[1] ?? null
}

/** The public beginning of a token; null for a text that can't be one. */
export function parsePrefix(text: string): string | null {
  return whole.exec(text)?.[1] ?? null
}

/** Whether a stored hash is that of this token, in constant time. */
export function isTokenHash(hash: string, text: string): boolean {
  const [stored, given] = [Buffer.from(hash, 'base64url'), hashToken(text)]
  return stored.length === given.length && timingSafeEqual(stored, given)
}
