import { createHmac, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, eq, lt } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { getDeskOrigin } from '../auth/session-cookie'
import { AppError } from '../runtime/app-error'
import { getSettings, listSecrets } from '../runtime/settings'
import { authenticators, usedChallenges } from '../store/factor-schema'
import * as m from '@/lib/messages/m'

const LIFETIME_MS = 5 * 60_000
const USED_MS = 60 * 60_000
/** As browsers name them (WebAuthn level 3); the library hands on whatever an answer says. */
const knownTransports = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
/** A credential's id, at most 1,023 bytes, in base64url. */
const idPattern = /^[\w-]{1,1364}$/u

/** The name that passkeys belong to: the host of the desk's public address. */
const getHost = () => new URL(getDeskOrigin()).hostname

/** Whether browsers allow passkeys at the desk's address: not at an IP address, and by plain http only on this computer. */
export function allowsPasskeys(): boolean {
  const { protocol, hostname } = new URL(getDeskOrigin())
  if (isIP(hostname.replace(/^\[|\]$/gu, '')) !== 0) return false
  return protocol === 'https:' || hostname === 'localhost'
}

/**
 * What a challenge is for; an answer to one counts for nothing else. One to add a passkey is the account's: a sign-in that
 * is renewed meanwhile, as by the proof that adding asks for, has another id.
 */
type Purpose = `register ${string}` | `confirm ${string}` | 'sign-in'

function sign(purpose: Purpose, bytes: Buffer, secret = getSettings().NEXTAUTH_SECRET ?? ''): Buffer {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'debitdesk passkeys', 32))
  return createHmac('sha256', key).update(`${purpose} `).update(bytes).digest().subarray(0, 16)
}

/** A challenge that says itself when it expires and what it is for, so that asking for one leaves nothing in the store. */
function makeChallenge(purpose: Purpose, now: Date): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(24)
  randomBytes(16).copy(bytes)
  bytes.writeBigUInt64BE(BigInt(now.getTime() + LIFETIME_MS), 16)
  return new Uint8Array(Buffer.concat([bytes, sign(purpose, bytes)]))
}

function isOwnChallenge(challenge: string, purpose: Purpose, now: Date): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  // Decoding passes over other characters, of which a challenge that is taken must have none.
  if (bytes.byteLength !== 40 || bytes.toString('base64url') !== challenge) return false
  const content = bytes.subarray(0, 24)
  // While the secret is rotated, other desks sign with another of them.
  const isSigned = listSecrets(getSettings()).some((secret) =>
    timingSafeEqual(bytes.subarray(24), sign(purpose, content, secret)),
  )
  return isSigned && Number(content.readBigUInt64BE(16)) > now.getTime()
}

/** Whether this is the first answer to a challenge, on any desk. */
async function takeChallenge(db: Database, challenge: string): Promise<boolean> {
  // Kept for longer than any desk accepts it, by the clock that all of them share.
  await db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, databaseTime()))
  const expiresAt = databaseTime(USED_MS)
  const taken = await db
    .insert(usedChallenges)
    .values({ challenge, expiresAt })
    .onConflictDoNothing()
    .returning({ challenge: usedChallenges.challenge })
  return taken.length > 0
}

/** The challenge in an answer, which the library has checked. */
function readChallenge({ response }: { response: { clientDataJSON: string } }): string {
  const data: { challenge?: unknown } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
  return String(data.challenge)
}

function listPasskeys(db: Database, userId: string) {
  return db
    .select()
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), eq(authenticators.kind, 'passkey')))
}

const describeCredential = ({ credentialId, transports }: typeof authenticators.$inferSelect) => ({
  id: credentialId ?? '',
  ...(transports && { transports }),
})

/** The options for `navigator.credentials.create`. Throws AppError 'not-possible'. */
export async function beginPasskey(
  db: Database,
  user: { userId: string; email: string },
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  if (!allowsPasskeys()) throw new AppError('not-possible', { detail: m.secondFactor_noPasskeysHere() })
  const known = await listPasskeys(db, user.userId)
  return generateRegistrationOptions({
    rpName: 'Debitdesk',
    rpID: getHost(),
    userName: user.email,
    userID: new Uint8Array(Buffer.from(user.userId.replaceAll('-', ''), 'hex')),
    challenge: makeChallenge(`register ${user.userId}`, now),
    excludeCredentials: known.map(describeCredential),
    // Stored on the authenticator and unlocked by its owner: enough to sign in with alone.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Adds a passkey by the browser's answer and returns its id; null when the answer is not right. */
export async function addPasskey(
  tx: Database,
  userId: string,
  { name, response }: { name: string; response: unknown },
  now: Date,
): Promise<string | null> {
  const answer = response as RegistrationResponseJSON
  const checked = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: (challenge) => isOwnChallenge(challenge, `register ${userId}`, now),
    expectedOrigin: getDeskOrigin(),
    expectedRPID: getHost(),
    requireUserVerification: true,
  }).catch(() => null)
  if (!checked?.verified || !(await takeChallenge(tx, readChallenge(answer)))) return null
  const { id: credentialId, publicKey, counter, transports } = checked.registrationInfo.credential
  const id = randomUUID()
  const made = await tx
    .insert(authenticators)
    .values({
      id,
      userId,
      kind: 'passkey',
      name,
      credentialId,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: knownTransports.filter((one) => Array.isArray(transports) && transports.includes(one)),
      createdAt: now,
      confirmedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: authenticators.id })
  return made.length > 0 ? id : null
}

/**
 * The options for `navigator.credentials.get`: to prove the factor of a sign-in, or (null) to sign in, where the browser
 * offers whatever passkeys it has for the desk.
 */
export async function askForPasskey(
  db: Database,
  signIn: { sessionId: string; userId: string } | null,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const known = signIn ? await listPasskeys(db, signIn.userId) : []
  return generateAuthenticationOptions({
    rpID: getHost(),
    challenge: makeChallenge(signIn ? `confirm ${signIn.sessionId}` : 'sign-in', now),
    allowCredentials: known.map(describeCredential),
    userVerification: 'required',
  })
}

/** The passkey, and its user, that gave this answer to `askForPasskey`; null when it is not right or was given before. */
export async function verifyPasskey(
  db: Database,
  response: { id?: unknown },
  signIn: { sessionId: string; userId: string } | null,
  now: Date,
): Promise<{ id: string; userId: string } | null> {
  const { id } = response
  if (typeof id !== 'string' || !idPattern.test(id)) return null
  const [passkey] = await db
    .select()
    .from(authenticators)
    .where(and(eq(authenticators.credentialId, id), eq(authenticators.kind, 'passkey')))
  if (!passkey?.publicKey || (signIn && passkey.userId !== signIn.userId)) return null
  const answer = response as AuthenticationResponseJSON
  const checked = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (challenge) =>
      isOwnChallenge(challenge, signIn ? `confirm ${signIn.sessionId}` : 'sign-in', now),
    expectedOrigin: getDeskOrigin(),
    expectedRPID: getHost(),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId ?? '',
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => null)
  if (!checked?.verified || !(await takeChallenge(db, readChallenge(answer)))) return null
  await db
    .update(authenticators)
    .set({ counter: checked.authenticationInfo.newCounter, lastUsedAt: now })
    .where(eq(authenticators.id, passkey.id))
  return passkey
}
