import {
  findProviderTokens,
  getTokenOwner,
  type HeldTokens,
  renewTokens,
  type TokenOwner,
} from '../auth/provider-tokens'
import { AppError } from '../runtime/app-error'
import { type Settings, SettingsError } from '../runtime/settings'
import { requireStore } from '../store/store'
import { TokenSource } from './access-tokens'
import * as refusals from '@/lib/words/refusals'

type CredentialSettings = Pick<
  Settings,
  | 'UPSTREAM_AUTH'
  | 'UPSTREAM_TOKEN'
  | 'UPSTREAM_HEADER'
  | 'UPSTREAM_TOKEN_URL'
  | 'UPSTREAM_CLIENT_ID'
  | 'UPSTREAM_CLIENT_SECRET'
  | 'UPSTREAM_SCOPE'
>

/** Shorter secrets are not searched for: replacing them would eat ordinary words. */
const shortestRedacted = 6

/** Headers that frame a message or are ours to set; a credential must not travel in one of them. */
const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|idempotency-key|traceparent|user-agent)$/iu

/** The ways in which a secret may be repeated. */
function spell(secret: string): string[] {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return spellings.filter((spelling) => spelling.length >= shortestRedacted)
}

/**
 * What proves the desk to a service. The secret sits in private fields, so that neither a log line, nor
 * JSON, nor a page's payload can carry it: only `apply` gives it out, onto a request to the service.
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
    this.#secrets = [...new Set(secrets.flatMap(spell))]
    this.#tokens = tokens
  }

  /**
   * Adds the credential's header to the headers of a request to the service; undefined when that is done at once.
   * Where tokens must be fetched it may throw AppError 'upstream-credential', 'upstream-unreachable' or
   * 'upstream-timeout' (evidence.written false).
   */
  apply(headers: Record<string, string>): Promise<void> | undefined {
    if (this.#tokens) {
      return this.#tokens.read().then((token) => {
        headers.authorization = `Bearer ${token}`
      })
    }
    if (this.#header) headers[this.#header[0].toLowerCase()] = this.#header[1]
    return undefined
  }

  /** Takes note of how a request with these headers was answered. True: send it again, with another credential. */
  judge(headers: Record<string, string>, status: number): boolean {
    const token = headers.authorization?.slice('Bearer '.length)
    if (!this.#tokens || token === undefined) return false
    if (status === 401) return this.#tokens.refuse(token)
    this.#tokens.accept(token)
    return false
  }

  /** Takes the credential out of text that the service sent, should it ever repeat it. */
  redact(text: string): string {
    const secrets = this.#tokens ? [...this.#secrets, ...this.#tokens.secrets.flatMap(spell)] : this.#secrets
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
  const { UPSTREAM_TOKEN_URL, UPSTREAM_CLIENT_ID: id, UPSTREAM_CLIENT_SECRET: secret, UPSTREAM_SCOPE: scope } = settings
  if (!UPSTREAM_TOKEN_URL || !id || !secret)
    throw new SettingsError(['UPSTREAM_TOKEN_URL, UPSTREAM_CLIENT_ID and UPSTREAM_CLIENT_SECRET are needed'])
  const url = new URL(UPSTREAM_TOKEN_URL)
  if (url.username || url.password || url.hash)
    throw new SettingsError(['UPSTREAM_TOKEN_URL must not hold a credential or a fragment'])
  return new TokenSource({ url, id, secret, scope, isGuarded })
}

/**
 * The credential that the settings name: `basic` (token as user name, or `user:password`; RFC 7617),
 * `bearer` (RFC 6750), `header` (the whole value of UPSTREAM_HEADER), `client-credentials` (OAuth 2.0, RFC 6749
 * section 4.4) or none. `isGuarded`: tokens are fetched from public addresses alone. Throws SettingsError.
 */
export function makeCredential(settings: CredentialSettings, isGuarded = false): Credential {
  const { UPSTREAM_AUTH, UPSTREAM_TOKEN = '', UPSTREAM_HEADER } = settings
  switch (UPSTREAM_AUTH) {
    case 'basic': {
      const pair = UPSTREAM_TOKEN.includes(':') ? UPSTREAM_TOKEN : `${UPSTREAM_TOKEN}:`
      const encoded = Buffer.from(pair, 'utf8').toString('base64')
      return new Credential(['authorization', `Basic ${encoded}`], [encoded, pair, ...pair.split(':').filter(Boolean)])
    }
    case 'bearer':
      assertHeaderValue(UPSTREAM_TOKEN)
      return new Credential(['authorization', `Bearer ${UPSTREAM_TOKEN}`], [UPSTREAM_TOKEN])
    case 'header':
      assertHeaderValue(UPSTREAM_TOKEN)
      if (reservedHeaders.test(UPSTREAM_HEADER))
        throw new SettingsError([`UPSTREAM_HEADER must not be ${UPSTREAM_HEADER}`])
      return new Credential([UPSTREAM_HEADER, UPSTREAM_TOKEN], [UPSTREAM_TOKEN])
    case 'client-credentials':
      return new Credential(null, [], makeTokenSource(settings, isGuarded))
    case 'none':
      return new Credential(null, [])
    default:
      throw new SettingsError([`UPSTREAM_AUTH ${UPSTREAM_AUTH} is not supported yet`])
  }
}

/** An access token is renewed this long before its end, in milliseconds. */
const ahead = 30_000
/** Tokens that a late reply might still repeat, over all users. */
const mostRecent = 256

function refuse(): never {
  throw new AppError('owner-signed-out', {
    detail: refusals.theServiceIsAskedWithYourOwnToken,
    written: false,
  })
}

/**
 * The signed-in user's own access token (UPSTREAM_AUTH=session), of whoever the work going on is for. It is renewed on
 * the server, and once more after a 401.
 */
export class SessionCredential extends Credential {
  /** By token: whether the service refused it, and whether it was fetched because the one before was refused. */
  readonly #recent = new Map<string, { isDoubted: boolean; isLast: boolean }>()

  constructor() {
    super(null, [])
  }

  async #read(owner: TokenOwner): Promise<string> {
    const db = await requireStore()
    let held: HeldTokens | null = await findProviderTokens(db, owner, new Date())
    if (held === null) refuse()
    const isDoubted = this.#recent.get(held.access)?.isDoubted === true
    if (isDoubted || held.expiresAt.getTime() - Date.now() < ahead) held = await this.#renew(held, isDoubted)
    if (held === null) refuse()
    this.#remember(held.access, isDoubted)
    return held.access
  }

  async #renew(held: HeldTokens, isDoubted: boolean): Promise<HeldTokens | null> {
    // Without anything to renew it with, a token serves to its end.
    if (held.refresh === null) return isDoubted || held.expiresAt.getTime() <= Date.now() ? null : held
    return renewTokens(await requireStore(), held)
  }

  #remember(token: string, isLast: boolean): void {
    const known = this.#recent.get(token)
    this.#recent.delete(token)
    this.#recent.set(token, known ?? { isDoubted: false, isLast })
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > mostRecent && oldest !== undefined) this.#recent.delete(oldest)
  }

  override apply(headers: Record<string, string>): Promise<void> {
    const owner = getTokenOwner()
    if (owner === null) return Promise.reject(new AppError('owner-signed-out', { written: false }))
    return this.#read(owner).then((token) => {
      headers.authorization = `Bearer ${token}`
    })
  }

  override judge(headers: Record<string, string>, status: number): boolean {
    const known = this.#recent.get(headers.authorization?.slice('Bearer '.length) ?? '')
    if (!known) return false
    if (status !== 401) {
      known.isLast = false
      return false
    }
    // One that was fetched because the one before was refused is not worth another.
    if (known.isLast) return false
    known.isDoubted = true
    return true
  }

  override redact(text: string): string {
    let clean = text
    for (const token of this.#recent.keys()) clean = clean.replaceAll(token, '[redacted]')
    return clean
  }
}
