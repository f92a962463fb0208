import * as z from 'zod'
import { AppError } from '../runtime/app-error'
import { sendHttpRequest } from './http-request'
import { decodeReply } from './reply'
import * as m from '@/lib/messages/m'

/** A client of a token server. `scope` and `audience` are sent unchanged. */
export type TokenClient = {
  url: URL
  id: string
  secret: string
  scope?: string | undefined
  /** Not part of OAuth 2.0, but several servers name the API a token is for by it. */
  audience?: string | undefined
  /** The form fields of the grant; client credentials (RFC 6749 section 4.4) by default. */
  grant?: Record<string, string> | undefined
  /** See HttpRequest. */
  isGuarded?: boolean | undefined
}

export type Token = {
  value: string
  /** Milliseconds from when it was requested. */
  lifetime: number
  /** The refresh token; null without one. */
  refresh: string | null
}

/** Client authentication (RFC 6749 section 2.3.1): HTTP Basic, or in the body where that is refused. */
export type ClientProof = 'basic' | 'body'

const REQUEST_TIMEOUT_MS = 8_000
/** The longest `requestToken` can take: it may send two requests. */
export const MAX_REQUEST_MS = 2 * REQUEST_TIMEOUT_MS
const MAX_REPLY_BYTES = 64 * 1024
/** The assumed lifetime of a token that doesn't state one, in seconds, and the longest one accepted. */
const DEFAULT_LIFETIME_S = 300
const MAX_LIFETIME_S = 24 * 60 * 60

const tokenReply = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7E]{1,8192}$/u),
  token_type: z
    .string()
    .regex(/^bearer$/iu)
    .optional(),
  refresh_token: z.string().min(1).max(8_192).optional().catch(undefined),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
})

function encode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2)
}

function buildRequest({ id, secret, scope, audience, grant }: TokenClient, proof: ClientProof) {
  const parameters = grant ?? {
    grant_type: 'client_credentials',
    ...(scope && { scope }),
    ...(audience && { audience }),
  }
  const form = new URLSearchParams(parameters)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'debitdesk',
  }
  if (proof === 'basic') {
    headers.authorization = `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`, 'utf8').toString('base64')}`
  } else {
    form.set('client_id', id)
    form.set('client_secret', secret)
  }
  return { headers, body: form.toString() }
}

async function postTokenRequest(client: TokenClient, proof: ClientProof) {
  try {
    const { headers, body } = buildRequest(client, proof)
    const raw = await sendHttpRequest({
      url: client.url,
      method: 'POST',
      headers,
      body,
      deadline: REQUEST_TIMEOUT_MS,
      limit: MAX_REPLY_BYTES,
      isGuarded: client.isGuarded,
    })
    return raw.status === 200 ? { status: 200, reply: await decodeReply(raw, (text) => text) } : { status: raw.status }
  } catch (cause) {
    // Nothing was sent to the service itself, whatever reached the token server.
    const code = cause instanceof AppError ? cause.code : 'upstream-credential'
    const reported = code === 'upstream-unreachable' || code === 'upstream-timeout' ? code : 'upstream-credential'
    throw new AppError(reported, { detail: m.refusals_noAccessTokenCouldBeFetched(), written: false }, { cause })
  }
}

/**
 * Requests an access token, by client credentials unless a grant is given; retries once with the other client
 * authentication. Throws AppError 'upstream-credential', 'upstream-unreachable' or 'upstream-timeout', always with
 * evidence.written false because nothing reached the service.
 */
export async function requestToken(client: TokenClient, proof: ClientProof): Promise<Token & { proof: ClientProof }> {
  const first = await postTokenRequest(client, proof)
  const isRefused = first.status === 400 || first.status === 401
  const other = proof === 'basic' ? 'body' : 'basic'
  const response = isRefused ? await postTokenRequest(client, other) : first
  const read = tokenReply.safeParse(response.reply?.json)
  if (!read.success) {
    throw new AppError('upstream-credential', {
      detail: response.reply ? m.refusals_noBearerToken() : m.refusals_tokenServerRefused(),
      upstream: { status: response.status },
      written: false,
    })
  }
  const seconds = Math.min(read.data.expires_in ?? DEFAULT_LIFETIME_S, MAX_LIFETIME_S)
  const { access_token: value, refresh_token: refresh = null } = read.data
  return { value, lifetime: seconds * 1_000, refresh, proof: isRefused ? other : proof }
}

type CachedToken = { value: string; renewAt: number; expiresAt: number }

const SECOND_MS = 1_000
/** A token is renewed this long before it expires, or after four fifths of its life if that is later. */
const RENEW_BEFORE_MS = 60 * SECOND_MS
/** After a fresh token was refused too, a 401 has no other one fetched for this long: the endpoint may refuse them all. */
export const REFUSED_COOLDOWN_MS = 30 * SECOND_MS
const MAX_PAUSE_MS = 30 * SECOND_MS
/** Tokens that a late reply might still echo, for redaction. */
const MAX_RECENT = 4

/**
 * One client's access token: fetched when first needed, cached, and renewed in the background before it expires, one
 * request at a time. A failing token server is left alone for 1 s, then 2, 4 … at most 30 s. `now`, injected by tests,
 * returns milliseconds of a monotonic clock.
 */
export class TokenSource {
  readonly #client: TokenClient
  readonly #now: () => number
  #token: CachedToken | null = null
  #running: Promise<CachedToken> | null = null
  #recent: readonly string[] = []
  #proof: ClientProof = 'basic'
  #failed: { failure: AppError; times: number; until: number } | null = null
  #restUntil = 0

  constructor(client: TokenClient, now = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  async #requestToken(): Promise<CachedToken> {
    const began = this.#now()
    try {
      const { value, lifetime, proof } = await requestToken(this.#client, this.#proof)
      this.#proof = proof
      this.#failed = null
      this.#recent = [value, ...this.#recent].slice(0, MAX_RECENT)
      const renewAt = began + lifetime - Math.min(RENEW_BEFORE_MS, lifetime / 5)
      this.#token = { value, renewAt, expiresAt: began + lifetime }
      return this.#token
    } catch (error) {
      const failure = error instanceof AppError ? error : new AppError('internal', { written: false }, { cause: error })
      const times = (this.#failed?.times ?? 0) + 1
      const pause = Math.min(MAX_PAUSE_MS, SECOND_MS * 2 ** (times - 1))
      this.#failed = { failure, times, until: this.#now() + pause }
      throw failure
    } finally {
      this.#running = null
    }
  }

  #renew(): Promise<CachedToken> {
    if (this.#running) return this.#running
    if (this.#failed && this.#now() < this.#failed.until) {
      const { code, evidence } = this.#failed.failure
      return Promise.reject(new AppError(code, { ...evidence }, { cause: this.#failed.failure }))
    }
    this.#running = this.#requestToken()
    return this.#running
  }

  /** An unexpired token, and another than the one that was `refused`. Throws AppError as `requestToken` does. */
  async read(refused?: string): Promise<string> {
    const now = this.#now()
    if (!this.#token || now >= this.#token.expiresAt || this.#token.value === refused)
      return (await this.#renew()).value
    // The current token is still valid: if renewal fails, a later request tries again.
    if (now >= this.#token.renewAt) this.#renew().catch(() => undefined)
    return this.#token.value
  }

  /**
   * Reports that the service answered 401 to a token. True if a retry with another is worthwhile (`read`). The refused
   * one serves other calls until another has come: it may be good for all endpoints but one.
   */
  refuse(value: string): boolean {
    if (this.#token?.value !== value || this.#running) return true
    if (this.#now() < this.#restUntil) return false
    this.#renew().catch(() => undefined)
    return true
  }

  /** Reports that the retry after a 401 was answered 401 too. */
  rest(value: string): void {
    if (this.#token?.value === value) this.#restUntil = this.#now() + REFUSED_COOLDOWN_MS
  }

  /** Values to redact. */
  get secrets(): readonly string[] {
    return [this.#client.secret, ...this.#recent]
  }
}
