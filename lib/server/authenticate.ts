import type { Database } from '@/lib/database/open-database'
import { canonicalEmail } from './canonical-email'
import { Failure } from './failure'
import { readKnownDevice } from './known-device'
import { hashPassword, isOutdatedHash, verifyPassword } from './password'
import { forgiveAttempts, reserveAttempt } from './throttle'
import { type Account, findAccount, replaceHash } from './users'

/** What a sign-in is tried with: the fields as typed, and the address of the other end of the connection. */
export type Credentials = {
  email: string
  password: string
  peer: string
  /** The cookie by which a browser is known again. */
  deviceCookie?: string | undefined
}

/**
 * The account of these credentials, or null, which does not say what was wrong: an unknown e-mail, a
 * disabled account and a wrong password take the same steps and the same work (SE-13). Throws Failure
 * 'too-many-attempts' with retryAfter, before looking whether the password is right.
 */
export async function authenticate(db: Database, credentials: Credentials, now: Date): Promise<Account | null> {
  const email = canonicalEmail(credentials.email)
  const account = email ?? credentials.email
  const device = email ? readKnownDevice(credentials.deviceCookie, email) : null
  const reservation = await reserveAttempt(db, { account, peer: credentials.peer, device }, now)
  if (!reservation.allowed) {
    const { retryAfter, lockedOut } = reservation
    throw new Failure('too-many-attempts', { retryAfter, lockedOut })
  }
  const found = await findAccount(db, email ?? '')
  const matches = await verifyPassword(found?.passwordHash ?? null, credentials.password)
  if (!found || !matches) return null
  await forgiveAttempts(db, { account, device }, reservation.ids)
  if (found.passwordHash && isOutdatedHash(found.passwordHash)) {
    await replaceHash(db, found, await hashPassword(credentials.password))
  }
  return found
}
