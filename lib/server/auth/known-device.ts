import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '@/lib/database/database'
import { parseCookies } from '../http/cookies'
import { getDeskOrigin } from './session-cookie'
import { getSettings, listSecrets } from '../runtime/settings'
import { type Account, findAccountById } from './users'

/** Seconds a browser is known after its last sign-in: 180 days. */
const LIFETIME_S = 180 * 24 * 60 * 60

/** Accounts remembered per browser. */
const MAX_ACCOUNTS = 4

/** Its id, the second it was issued, and their signature. */
const shape = /^[\w-]{22}\.[\da-z]{6,8}\.[\w-]{43}$/u

/** The name of the cookie that recognises a browser used to sign in before; it signs nobody in. */
export function getDeviceCookieName(): string {
  return `${getDeskOrigin().startsWith('https:') ? '__Host-' : ''}debitdesk.device`
}

/**
 * An account as marks know it. A new password, or its hash made anew, makes those worthless that there are: whoever knew
 * the password before may have collected any number of them.
 */
type MarkedAccount = Pick<Account, 'email' | 'passwordHash'>

function sign(secret: string, id: string, issued: string, { email, passwordHash }: MarkedAccount): string {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'debitdesk known device', 32))
  return createHmac('sha256', key)
    .update(`${id} ${issued} ${email} ${passwordHash ?? ''}`)
    .digest('base64url')
}

function isFor(entry: string, account: MarkedAccount, now: Date): boolean {
  const [id = '', issued = '', mac = ''] = entry.split('.')
  if (now.getTime() / 1_000 - Number.parseInt(issued, 36) >= LIFETIME_S) return false
  return listSecrets(getSettings()).some((secret) =>
    timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, id, issued, account))),
  )
}

function parseEntries(cookie: string | undefined): string[] {
  return (cookie ?? '')
    .split('~', MAX_ACCOUNTS + 1)
    .filter((entry) => shape.test(entry))
    .slice(0, MAX_ACCOUNTS)
}

/**
 * The id of this browser for an account that signed in with it before; else null. Attempts of known browsers are counted
 * separately, so that nobody can lock an account out by guessing from elsewhere (SE-12).
 */
export function readKnownDevice(cookie: string | undefined, account: MarkedAccount, now: Date): string | null {
  const found = parseEntries(cookie).find((entry) => isFor(entry, account, now))
  return found?.slice(0, 22) ?? null
}

/** The Set-Cookie header that adds an account to those a browser is known for. */
export function writeKnownDevice(cookie: string | undefined, account: MarkedAccount, now: Date): string {
  const entries = parseEntries(cookie)
  const own = entries.find((entry) => isFor(entry, account, now))
  const id = own?.slice(0, 22) ?? randomBytes(16).toString('base64url')
  const issued = Math.floor(now.getTime() / 1_000).toString(36)
  const mac = sign(getSettings().NEXTAUTH_SECRET ?? '', id, issued, account)
  const others = entries.filter((entry) => entry !== own).slice(0, MAX_ACCOUNTS - 1)
  const value = [`${id}.${issued}.${mac}`, ...others].join('~')
  const secure = getDeskOrigin().startsWith('https:') ? '; Secure' : ''
  return `${getDeviceCookieName()}=${value}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

const readCookie = (request: Request) =>
  parseCookies(request.headers.get('cookie'), [getDeviceCookieName()])[getDeviceCookieName()]

/** Whether the browser of a request is known for an account. */
export async function isKnownBrowser(db: Database, request: Request, userId: string, now: Date): Promise<boolean> {
  const account = await findAccountById(db, userId)
  return account !== null && readKnownDevice(readCookie(request), account, now) !== null
}

/** Makes the browser of a request known to the account whose owner it has proven to hold (0135). Returns the reply. */
export async function rememberDevice(
  db: Database,
  request: Request,
  userId: string,
  reply: Response,
): Promise<Response> {
  const account = await findAccountById(db, userId)
  if (account) reply.headers.append('set-cookie', writeKnownDevice(readCookie(request), account, new Date()))
  return reply
}
