import { createHash, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { Problem } from './problem'
import { credentials } from '../store/schema'

/** The merchant and credential of a request. `isv` credentials may also create merchants. */
export type Caller = {
  merchantId: string
  isv: boolean
  /** The hash of the request's token. */
  tokenHash: string
}

/** SHA-256 of a token in hex, the only form in which tokens are stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function parseToken(authorization: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/iu.exec(authorization ?? '')?.[1]
  if (!encoded || encoded.length > 1000) return null
  const [token, password] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'))
  return token !== '' && password === '' ? token : null
}

function splitOnce(pair: string): [string, string] {
  const colon = pair.indexOf(':')
  return colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)]
}

function refuse(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Basic realm="direct debit", charset="UTF-8"' },
  })
}

/**
 * Finds the caller of a request by HTTP Basic, with the token as user name and an empty password (deployment facts). The
 * token's hash is looked up and compared in constant time. Throws Problem `unauthorized`.
 */
export async function authenticate(db: Database, authorization: string | undefined): Promise<Caller> {
  const token = parseToken(authorization)
  if (token === null) throw refuse('Send the token as user name of HTTP Basic authentication, with an empty password.')
  const hash = hashToken(token)
  const [found] = await db.select().from(credentials).where(eq(credentials.tokenHash, hash)).limit(1)
  if (!found || !timingSafeEqual(Buffer.from(found.tokenHash, 'hex'), Buffer.from(hash, 'hex')))
    throw refuse('The credential is not known.')
  return { merchantId: found.merchantId, isv: found.isv, tokenHash: hash }
}
