import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { getDeskOrigin } from './session-cookie'
import { getSettings, listSecrets } from '../runtime/settings'

/** How long a browser is known after its last sign-in, in seconds: 180 days. */
const lifetime = 180 * 24 * 60 * 60

/** Accounts that one browser is known for. */
const mostAccounts = 4

const shape = /^[\w-]{22}\.[\w-]{43}$/u

/** The cookie by which a browser that somebody has signed in with is known again; it signs nobody in. */
export function getDeviceCookieName(): string {
  return `${getDeskOrigin().startsWith('https:') ? '__Host-' : ''}debitdesk.device`
}

function signWith(secret: string, id: string, email: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'debitdesk known device', 32))
  return createHmac('sha256', key).update(`${id} ${email}`).digest('base64url')
}

/** With the secret of today. */
function sign(id: string, email: string): string {
  return signWith(getSettings().NEXTAUTH_SECRET ?? '', id, email)
}

function isFor(entry: string, email: string): boolean {
  const [id = '', mac = ''] = entry.split('.')
  return listSecrets(getSettings()).some((secret) =>
    timingSafeEqual(Buffer.from(mac), Buffer.from(signWith(secret, id, email))),
  )
}

function readEntries(cookie: string | undefined): string[] {
  return (cookie ?? '')
    .split('~', mostAccounts + 1)
    .filter((entry) => shape.test(entry))
    .slice(0, mostAccounts)
}

/**
 * The id of this browser for an account, in its canonical form, if it has signed in with it before; null otherwise.
 * Its guesses are counted apart, so that nobody locks it out by guessing from elsewhere (SE-12).
 */
export function readKnownDevice(cookie: string | undefined, email: string): string | null {
  const found = readEntries(cookie).find((entry) => isFor(entry, email))
  return found?.slice(0, 22) ?? null
}

/** The Set-Cookie header that makes a browser known for an account, beside those it is known for already. */
export function writeKnownDevice(cookie: string | undefined, email: string): string {
  const entries = readEntries(cookie)
  const own = entries.find((entry) => isFor(entry, email))
  const id = own?.slice(0, 22) ?? randomBytes(16).toString('base64url')
  const kept = entries.filter((entry) => entry !== own).slice(0, mostAccounts - 1)
  const value = [`${id}.${sign(id, email)}`, ...kept].join('~')
  const secure = getDeskOrigin().startsWith('https:') ? '; Secure' : ''
  return `${getDeviceCookieName()}=${value}; Max-Age=${lifetime}; Path=/; HttpOnly; SameSite=Lax${secure}`
}
