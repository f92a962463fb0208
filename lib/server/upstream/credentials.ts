import {
  findProviderTokens,
  getTokenOwner,
  type SessionTokens,
  renewTokens,
  type TokenOwner,
} from '../auth/provider-tokens'
import { AppError } from '../runtime/app-error'
import { type Settings, SettingsError } from '../runtime/settings'
import { requireStore } from '../store/store'
import { REFUSED_COOLDOWN_MS, TokenSource } from './access-tokens'
import * as m from '@/lib/messages/m'

type CredentialSettings = Pick<
  Settings,
  | 'UPSTREAM_AUTH'
  | 'UPSTREAM_TOKEN'
  | 'UPSTREAM_HEADER'
  | 'UPSTREAM_TOKEN_URL'
  | 'UPSTREAM_CLIENT_ID'
  | 'UPSTREAM_CLIENT_SECRET'
  | 'UPSTREAM_SCOPE'
  | 'UPSTREAM_AUDIENCE'
>

/** Shorter secrets are not redacted: replacing them would mangle ordinary words. */
const MIN_REDACTED_LENGTH = 6

/** Headers that frame a message or that the desk sets itself; a credential must not use them. */
const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|idempotency-key|traceparent|user-agent)$/iu

/** The encodings in which a secret may be echoed. */
function listSpellings(secret: string): string[] {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return spellings.filter((spelling) => spelling.length >= MIN_REDACTED_LENGTH)
}

function readToken(headers: Record<string, string> | undefined): string | undefined {
  return headers?.authorization?.slice('Bearer '.length)
}

/**
 * The desk's credential at a service. Secrets are in private fields, so that no log line, JSON or page payload can
 * contain them: only `apply` reveals them, in the headers of a request to the service.
 */
export class Credential {
  readonly #header: readonly [name: string, value: string] | null
  readonly #secrets: readonly string[]
  readonly #tokens: TokenSource | null

  constructor(
    header: readonly [name: string, value: string] | null,
    secrets: readonly string[],
    tokens: TokenSource | null = null,
  ) {
    this.#header = header
    this.#secrets = [...new Set(secrets.flatMap(listSpellings))]
    this.#tokens = tokens
  }

  /**
   * Adds the credential's header to a request's headers; returns undefined when that is done synchronously. Where tokens
   * are fetched, another one than in the `refused` headers, and it may reject with AppError 'upstream-credential',
   * 'upstream-unreachable' or 'upstream-timeout' (evidence.written false).
   */
  apply(headers: Record<string, string>, refused?: Record<string, string>): Promise<void> | undefined {
    if (this.#tokens) {
      return this.#tokens.read(readToken(refused)).then((token) => {
        headers.authorization = `Bearer ${token}`
      })
    }
    if (this.#header) headers[this.#header[0].toLowerCase()] = this.#header[1]
    return undefined
  }

  /** Reports the status of a reply to a request with these headers. True if it should be retried with a new credential. */
  reportStatus(headers: Record<string, string>, status: number): boolean {
    const token = readToken(headers)
    return status === 401 && token !== undefined && this.#tokens?.refuse(token) === true
  }

  /** Reports that a retry with these headers was answered 401 too: for a while, none is made for another 401. */
  rest(headers: Record<string, string>): void {
    this.#tokens?.rest(readToken(headers) ?? '')
  }

  /** Removes the credential from text sent by the service, should it ever echo it. */
  redact(text: string): string {
    const secrets = this.#tokens ? [...this.#secrets, ...this.#tokens.secrets.flatMap(listSpellings)] : this.#secrets
    return secrets.reduce(
      (clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, '[redacted]') : clean),
      text,
    )
  }
}

function assertHeaderValue(value: string): void {
  if (/[^\x20-\x7E\x80-\xFF]/u.test(value))
    throw new SettingsError(['UPSTREAM_TOKEN must be one line of plain characters'])
}

function makeTokenSource(settings: CredentialSettings, isGuarded: boolean): TokenSource {
  const { UPSTREAM_TOKEN_URL, UPSTREAM_CLIENT_ID: id, UPSTREAM_CLIENT_SECRET: secret } = settings
  const { UPSTREAM_SCOPE: scope, UPSTREAM_AUDIENCE: audience } = settings
  if (!UPSTREAM_TOKEN_URL || !id || !secret)
    throw new SettingsError(['UPSTREAM_TOKEN_URL, UPSTREAM_CLIENT_ID and UPSTREAM_CLIENT_SECRET are needed'])
  const url = new URL(UPSTREAM_TOKEN_URL)
  if (url.username || url.password || url.hash)
    throw new SettingsError(['UPSTREAM_TOKEN_URL must not hold a credential or a fragment'])
  return new TokenSource({ url, id, secret, scope, audience, isGuarded })
}

/**
 * The credential described by the settings: `basic` (token as user name, or `user:password`; RFC 7617), `bearer`
 * (RFC 6750), `header` (the whole value of UPSTREAM_HEADER), `client-credentials` (OAuth 2.0, RFC 6749 section 4.4) or
 * none. With `isGuarded`, tokens are fetched from public addresses only. Throws SettingsError.
 */
export function makeCredential(settings: CredentialSettings, isGuarded = false): Credential {
  const { UPSTREAM_AUTH, UPSTREAM_TOKEN = '', UPSTREAM_HEADER } = settings
  switch (UPSTREAM_AUTH) {
    case 'basic': {
      const pair = UPSTREAM_TOKEN.includes(':') ? UPSTREAM_TOKEN : `${UPSTREAM_TOKEN}:`
      const encoded = Buffer.from(pair, 'utf8').toString('base64')
      const [user = '', ...rest] = pair.split(':')
      // Beside a password the user name is no secret, and may be a merchant's number that stands in ids and addresses.
      return new Credential(['authorization', `Basic ${encoded}`], [encoded, pair, rest.join(':') || user])
    }
    case 'bearer':
      assertHeaderValue(UPSTREAM_TOKEN)
      return new Credential(['authorization', `Bearer ${UPSTREAM_TOKEN}`], [UPSTREAM_TOKEN])
    case 'header':
      assertHeaderValue(UPSTREAM_TOKEN)
      if (reservedHeaders.test(UPSTREAM_HEADER))
        throw new SettingsError([`UPSTREAM_HEADER must not be ${UPSTREAM_HEADER}`])
      // Behind a scheme such as `ApiKey` the key may be echoed alone.
      return new Credential(
        [UPSTREAM_HEADER, UPSTREAM_TOKEN],
        [UPSTREAM_TOKEN, UPSTREAM_TOKEN.slice(UPSTREAM_TOKEN.indexOf(' ') + 1).trim()],
      )
    case 'client-credentials':
      return new Credential(null, [], makeTokenSource(settings, isGuarded))
    case 'none':
      return new Credential(null, [])
    default:
      throw new SettingsError([`UPSTREAM_AUTH ${UPSTREAM_AUTH} is not supported yet`])
  }
}

const RENEW_BEFORE_MS = 30_000
/** Tokens that a late reply might still echo, over all users. */
const MAX_RECENT = 256

function throwSignedOut(): never {
  throw new AppError('owner-signed-out', {
    detail: m.refusals_theServiceIsAskedWithYourOwnToken(),
    written: false,
  })
}

/**
 * The signed-in user's own access token (UPSTREAM_AUTH=session): that of the owner of the current work. It is renewed
 * on the server, and once more after a 401.
 */
export class SessionCredential extends Credential {
  /** Per token: whether the service refused it and it must be renewed, whether it can be, and until when a 401 stands. */
  readonly #recent = new Map<string, { isRefused: boolean; isRenewable: boolean; restUntil: number }>()

  constructor() {
    super(null, [])
  }

  async #read(owner: TokenOwner): Promise<string> {
    const db = await requireStore()
    let tokens: SessionTokens | null = await findProviderTokens(db, owner, new Date())
    if (tokens === null) throwSignedOut()
    const known = this.#recent.get(tokens.access)
    const isDue = tokens.expiresAt.getTime() - Date.now() < RENEW_BEFORE_MS
    if (known?.isRefused || isDue) {
      const current = tokens
      tokens = await this.#renew(current).catch((error: unknown) => {
        if (isDue || !known) throw error
        // One endpoint refused it, others may not.
        known.restUntil = performance.now() + REFUSED_COOLDOWN_MS
        return current
      })
    }
    if (tokens === null) throwSignedOut()
    this.#remember(tokens)
    return tokens.access
  }

  async #renew(tokens: SessionTokens): Promise<SessionTokens | null> {
    // Without a refresh token, the access token is used until it expires.
    if (tokens.refresh === null) return tokens.expiresAt.getTime() <= Date.now() ? null : tokens
    return renewTokens(await requireStore(), tokens)
  }

  /** A renewal may give the same token again. */
  #remember({ access, refresh }: SessionTokens): void {
    const restUntil = this.#recent.get(access)?.restUntil ?? 0
    this.#recent.delete(access)
    this.#recent.set(access, { isRefused: false, isRenewable: refresh !== null, restUntil })
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > MAX_RECENT && oldest !== undefined) this.#recent.delete(oldest)
  }

  override apply(headers: Record<string, string>): Promise<void> {
    const owner = getTokenOwner()
    if (owner === null) return Promise.reject(new AppError('owner-signed-out', { written: false }))
    return this.#read(owner).then((token) => {
      headers.authorization = `Bearer ${token}`
    })
  }

  override reportStatus(headers: Record<string, string>, status: number): boolean {
    const known = this.#recent.get(readToken(headers) ?? '')
    if (status !== 401 || !known?.isRenewable || performance.now() < known.restUntil) return false
    known.isRefused = true
    return true
  }

  override rest(headers: Record<string, string>): void {
    const known = this.#recent.get(readToken(headers) ?? '')
    if (known) known.restUntil = performance.now() + REFUSED_COOLDOWN_MS
  }

  override redact(text: string): string {
    let clean = text
    for (const token of this.#recent.keys()) clean = clean.replaceAll(token, '[redacted]')
    return clean
  }
}
