import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { getDeskOrigin } from './session-cookie'
import { getSettings, listSecrets } from '../runtime/settings'

/** Seconds a browser is known after its last sign-in: 180 days. */
const LIFETIME_S = 180 * 24 * 60 * 60

/** Accounts remembered per browser. */
const MAX_ACCOUNTS = 4

const shape = /^[\w-]{22}\.[\w-]{43}$/u

/** The name of the cookie that recognises a browser used to sign in before; it signs nobody in. */
export function getDeviceCookieName(): string {
  return `${getDeskOrigin().startsWith('https:') ? '__Host-' : ''}debitdesk.device`
}

function signWith(secret: string, id: string, email: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'debitdesk known device', 32))
  return createHmac('sha256', key).update(`${id} ${email}`).digest('base64url')
}

/** Signs with the current secret. */
function sign(id: string, email: string): string {
  return signWith(getSettings().NEXTAUTH_SECRET ?? '', id, email)
}

function isFor(entry: string, email: string): boolean {
  const [id = '', mac = ''] = entry.split('.')
  return listSecrets(getSettings()).some((secret) =>
    timingSafeEqual(Buffer.from(mac), Buffer.from(signWith(secret, id, email))),
  )
}

function parseEntries(cookie: string | undefined): string[] {
  return (cookie ?? '')
    .split('~', MAX_ACCOUNTS + 1)
    .filter((entry) => shape.test(entry))
    .slice(0, MAX_ACCOUNTS)
}

/**
 * The id of this browser for an account (canonical e-mail) that signed in with it before; else null. Attempts of known
 * browsers are counted separately, so that nobody can lock an account out by guessing from elsewhere (SE-12).
 */
export function readKnownDevice(cookie: string | undefined, email: string): string | null {
  const found = parseEntries(cookie).find((entry) => isFor(entry, email))
  return found?.slice(0, 22) ?? null
}

/** The Set-Cookie header that adds an account to those a browser is known for. */
export function writeKnownDevice(cookie: string | undefined, email: string): string {
  const entries = parseEntries(cookie)
  const own = entries.find((entry) => isFor(entry, email))
  const id = own?.slice(0, 22) ?? randomBytes(16).toString('base64url')
  const others = entries.filter((entry) => entry !== own).slice(0, MAX_ACCOUNTS - 1)
  const value = [`${id}.${sign(id, email)}`, ...others].join('~')
  const secure = getDeskOrigin().startsWith('https:') ? '; Secure' : ''
  return `${getDeviceCookieName()}=${value}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly; SameSite=Lax${secure}`
}
