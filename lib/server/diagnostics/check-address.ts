import { getSessionCookies } from '../auth/session-cookie'
import { AppError } from '../runtime/app-error'
import { isLoopback } from '../runtime/setting-types'
import type { Settings } from '../runtime/settings'
import { type HttpReply, sendHttpRequest } from '../upstream/http-request'
import { compareClocks, type DeskFindings } from './desk-findings'

const DEADLINE_MS = 8_000
const LIMIT_BYTES = 65_536
const accept = { accept: 'application/json' }

function get(url: URL): Promise<HttpReply> {
  return sendHttpRequest({ url, method: 'GET', headers: accept, deadline: DEADLINE_MS, limit: LIMIT_BYTES })
}

function findCode(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'no reply'
}

/** Compares this machine's clock with that of a server, by the `Date` of its reply. */
export async function checkClockAt(found: DeskFindings, subject: string, url: URL): Promise<void> {
  const sent = Date.now()
  try {
    const { headers } = await get(url)
    const time = Date.parse(String(headers.date))
    if (Number.isNaN(time)) found.add(subject, 'skipped', 'Its replies carry no Date.')
    else compareClocks(found, subject, { time, sent, received: Date.now(), precision: 1_000 })
  } catch (error) {
    found.add(subject, 'skipped', `It did not reply (${findCode(error)}).`)
  }
}

function isHealthy({ status, body }: HttpReply): boolean {
  return status === 200 && /"status"\s*:\s*"ok"/u.test(body.toString('utf8'))
}

function describeCertificateFault(code: string): string {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'is for another name. Give the proxy one for this name, or set NEXTAUTH_URL to the address that people see.'
    case 'CERT_HAS_EXPIRED':
      return 'has expired. Renew it in the proxy.'
    default:
      return `is not trusted (${code}). Mend it in the proxy, or name its authority with NODE_EXTRA_CA_CERTS.`
  }
}

/** Whether the dashboard answers at its public address. */
async function checkReached(found: DeskFindings, url: URL, settings: Settings): Promise<HttpReply | null> {
  const subject = 'public address'
  const own = `${settings.HOST}:${settings.PORT}`
  try {
    const reply = await get(new URL('/api/health', url))
    if (isHealthy(reply)) {
      found.add(subject, 'ok', `The dashboard answers at ${url.origin}.`)
      return reply
    }
    const { status, headers } = reply
    if (status >= 300 && status < 400) {
      const detail = `${url.origin} redirects to ${String(headers.location)}. Set NEXTAUTH_URL to the address that people see.`
      found.add(subject, 'failure', detail)
    } else {
      const detail = `${url.origin} answers ${status}, not as the dashboard. Start it, and let the proxy pass on to ${own}.`
      found.add(subject, 'failure', detail)
    }
  } catch (error) {
    const code = findCode(error)
    if (/CERT|SIGNED|VERIFY|HOSTNAME/u.test(code)) {
      const detail = `The certificate of ${url.origin} ${describeCertificateFault(code)}`
      found.add(subject, 'failure', detail)
    } else {
      const detail = `Nothing answers at ${url.origin} (${code}). Start the dashboard and the proxy, lead the name there, and run this again.`
      found.add(subject, 'warning', detail)
    }
  }
  return null
}

/** Whether plain http at the same name leads to https, or nowhere. */
async function checkPlainHttp(found: DeskFindings, url: URL): Promise<void> {
  if (url.port !== '') return
  const subject = 'plain http'
  try {
    const { status, headers } = await get(new URL('/', `http://${url.hostname}`))
    const leads = status >= 300 && status < 400 && String(headers.location).startsWith('https:')
    if (leads) found.add(subject, 'ok', 'It redirects to https.')
    else found.add(subject, 'warning', `It answers ${status}. Let the proxy redirect port 80 to https.`)
  } catch {
    found.add(subject, 'ok', 'Nothing answers there.')
  }
}

/** Whether the dashboard can work: a store that takes writes, and workers that run. */
async function checkReady(found: DeskFindings, url: URL): Promise<void> {
  const subject = 'readiness'
  try {
    const { status, body } = await get(new URL('/api/ready', url))
    const [, code = 'unknown'] = /"code"\s*:\s*"([a-z-]{1,40})"/u.exec(body.toString('utf8')) ?? []
    if (status === 200) found.add(subject, 'ok', 'It can work.')
    else found.add(subject, 'failure', `It answers ${status} (${code}). See its log for the reason.`)
  } catch (error) {
    found.add(subject, 'failure', `The request failed (${findCode(error)}).`)
  }
}

function checkHsts(found: DeskFindings, { headers }: HttpReply): void {
  const subject = 'https'
  const header = headers['strict-transport-security']
  if (header !== undefined) found.add(subject, 'ok', 'Browsers are told to come back by https.')
  else
    found.add(
      subject,
      'warning',
      'The reply has no Strict-Transport-Security. Let the proxy pass on the headers of the dashboard, and start it with this NEXTAUTH_URL.',
    )
}

/** Whether cookies arrive as the dashboard sets them. */
async function checkCookies(found: DeskFindings, url: URL): Promise<void> {
  const subject = 'cookies'
  const { name, options } = getSessionCookies().csrfToken
  try {
    const { status, headers } = await get(new URL('/api/auth/csrf', url))
    const cookies = [headers['set-cookie'] ?? []].flat()
    const [cookie] = cookies.filter((one) => one.startsWith(`${name}=`))
    const needed = ['path=/', 'httponly', 'samesite=lax', ...(options.secure ? ['secure'] : [])]
    const given = (cookie ?? '').split(';').map((part) => part.trim().toLowerCase())
    const missing = needed.filter((part) => !given.includes(part))
    const strange = given.filter((part) => part.startsWith('domain='))
    if (cookie !== undefined && missing.length + strange.length === 0) {
      found.add(
        subject,
        'ok',
        options.secure ? 'They are tied to this host and to https.' : 'They arrive as they are set.',
      )
    } else if (cookie === undefined) {
      const detail = `${name} is not set (${status}). Start the dashboard with this NEXTAUTH_URL, and let the proxy pass on Set-Cookie.`
      found.add(subject, 'failure', detail)
    } else {
      const changed = [...missing.map((part) => `without ${part}`), ...strange].join(', ')
      found.add(subject, 'failure', `${name} arrives ${changed}. Let the proxy leave cookies as they are.`)
    }
  } catch (error) {
    found.add(subject, 'failure', `The request failed (${findCode(error)}).`)
  }
}

function checkProxies(found: DeskFindings, { TRUSTED_PROXIES: trusted }: Settings, url: URL): void {
  const subject = 'proxies'
  const count = 'hops' in trusted ? trusted.hops : trusted.ranges.length
  if (count > 0) {
    const what = 'hops' in trusted ? `${count} in front` : trusted.ranges.join(', ')
    found.add(subject, 'ok', `Trusted: ${what}. Only they must be able to reach the dashboard’s port.`)
  } else if (isLoopback(url.href)) found.add(subject, 'ok', 'None in front of this machine.')
  else {
    const detail =
      'TRUSTED_PROXIES is none: behind a proxy all visitors count as one, and one can lock out all. Set it to the number of proxies.'
    found.add(subject, 'warning', detail)
  }
}

/** Checks the public address as a visitor meets it: through the proxy, with its certificate and cookies. */
export async function checkAddress(found: DeskFindings, settings: Settings): Promise<void> {
  const url = new URL(settings.NEXTAUTH_URL)
  const isPublic = !isLoopback(url.href)
  checkProxies(found, settings, url)
  if (isPublic && url.protocol !== 'https:') {
    const detail =
      'Plain http: anybody on the way can read passwords. Put a proxy with TLS in front, and set NEXTAUTH_URL to its https address.'
    found.add('https', 'failure', detail)
  }
  const reply = await checkReached(found, url, settings)
  if (!reply) return
  await checkReady(found, url)
  if (isPublic && url.protocol === 'https:') {
    checkHsts(found, reply)
    await checkPlainHttp(found, url)
  }
  await checkCookies(found, url)
}
