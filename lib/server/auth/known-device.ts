import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '@/lib/database/database'
import { parseCookies } from '../http/cookies'
import { getDeskOrigin } from './session-cookie'
import { describeError, log } from '../runtime/log'
import { getSettings, listSecrets } from '../runtime/settings'
import { type Account, findAccountById } from './users'

/** Seconds a browser is known after its last sign-in: 180 days. */
const LIFETIME_S = 180 * 24 * 60 * 60

/** Accounts remembered per browser. */
const MAX_ACCOUNTS = 4

/** Its id, the second it was issued, the account's tag, and their signature. */
const shape = /^[\w-]{22}\.[\da-z]{6,8}\.[\w-]{8}\.[\w-]{43}$/u

/** The name of the cookie that recognises a browser used to sign in before; it signs nobody in. */
export function getDeviceCookieName(): string {
  return `${getDeskOrigin().startsWith('https:') ? '__Host-' : ''}debitdesk.device`
}

/**
 * An account as marks know it. A new password, or its hash made anew, makes those worthless that there are: whoever knew
 * the password before may have collected any number of them.
 */
type MarkedAccount = Pick<Account, 'email' | 'passwordHash'>

function makeMac(secret: string, text: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'debitdesk known device', 32))
  return createHmac('sha256', key).update(text).digest('base64url')
}

const sign = (secret: string, id: string, issued: string, { email, passwordHash }: MarkedAccount) =>
  makeMac(secret, `${id} ${issued} ${email} ${passwordHash ?? ''}`)

/** Tells the account of an entry whatever its password: it shows which one to replace, and proves nothing. */
const makeTag = (secret: string, id: string, email: string) => makeMac(secret, `tag ${id} ${email}`).slice(0, 8)

function isTagged(entry: string, { email }: MarkedAccount): boolean {
  const [id = '', , tag] = entry.split('.')
  return listSecrets(getSettings()).some((secret) => tag === makeTag(secret, id, email))
}

function isFor(entry: string, account: MarkedAccount): boolean {
  const [id = '', issued = '', , mac = ''] = entry.split('.')
  return listSecrets(getSettings()).some((secret) =>
    timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, id, issued, account))),
  )
}

/** The entries of a cookie that haven't expired. */
function parseEntries(cookie: string | undefined, now: Date): string[] {
  const since = now.getTime() / 1_000 - LIFETIME_S
  return (cookie ?? '')
    .split('~', MAX_ACCOUNTS + 1)
    .filter((entry) => shape.test(entry) && Number.parseInt(entry.split('.')[1] ?? '', 36) > since)
    .slice(0, MAX_ACCOUNTS)
}

/**
 * The id of this browser for an account that signed in with it before; else null. Attempts of known browsers are counted
 * separately, so that nobody can lock an account out by guessing from elsewhere (SE-12).
 */
export function readKnownDevice(cookie: string | undefined, account: MarkedAccount, now: Date): string | null {
  const found = parseEntries(cookie, now).find((entry) => isFor(entry, account))
  return found?.slice(0, 22) ?? null
}

/** The Set-Cookie header that adds an account to those a browser is known for. */
export function writeKnownDevice(cookie: string | undefined, account: MarkedAccount, now: Date): string {
  const id = readKnownDevice(cookie, account, now) ?? randomBytes(16).toString('base64url')
  const issued = Math.floor(now.getTime() / 1_000).toString(36)
  const secret = getSettings().NEXTAUTH_SECRET ?? ''
  const own = [id, issued, makeTag(secret, id, account.email), sign(secret, id, issued, account)].join('.')
  const others = parseEntries(cookie, now).filter((entry) => !isTagged(entry, account))
  const value = [own, ...others.slice(0, MAX_ACCOUNTS - 1)].join('~')
  const secure = getDeskOrigin().startsWith('https:') ? '; Secure' : ''
  return `${getDeviceCookieName()}=${value}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** The cookie's value in the headers of a request. */
export function readDeviceCookie(headers: Headers): string | undefined {
  const name = getDeviceCookieName()
  return parseCookies(headers.get('cookie'), [name])[name]
}

/** Whether the browser of a request is known for an account. */
export async function isKnownBrowser(db: Database, request: Request, userId: string, now: Date): Promise<boolean> {
  const account = await findAccountById(db, userId)
  return account !== null && readKnownDevice(readDeviceCookie(request.headers), account, now) !== null
}

/**
 * Makes the browser of a request known to the account whose owner it has proven to hold (0135). Returns the reply, also
 * where that fails: what it tells is done, and may be told only once.
 */
export async function rememberDevice(
  db: Database,
  request: Request,
  userId: string,
  reply: Response,
): Promise<Response> {
  const account = await findAccountById(db, userId).catch((error: unknown) => {
    log.warn({ event: 'browser-not-remembered', error: describeError(error) })
    return null
  })
  if (account)
    reply.headers.append('set-cookie', writeKnownDevice(readDeviceCookie(request.headers), account, new Date()))
  return reply
}
