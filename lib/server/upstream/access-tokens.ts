import * as z from 'zod'
import { AppError } from '../runtime/app-error'
import { sendHttpRequest } from './http-request'
import { decodeReply } from './reply'
import * as refusals from '@/lib/words/refusals'

/** Where and as whom a token is asked for. `scope` is sent as it is. */
export type TokenClient = {
  url: URL
  id: string
  secret: string
  scope?: string | undefined
  /** What is asked with; client credentials (RFC 6749 section 4.4) if it is not said. */
  grant?: Record<string, string> | undefined
  /** See HttpRequest. */
  isGuarded?: boolean | undefined
}

/** `lifetime` in milliseconds from when it was asked for. */
export type Token = {
  value: string
  lifetime: number /** What renews it; null where none was given. */
  refresh: string | null
}

/** How the client proves itself (RFC 6749 section 2.3.1): by HTTP Basic, or in the body where that is refused. */
export type ClientProof = 'basic' | 'body'

const deadline = 8_000
/** The longest that `requestToken` takes, in milliseconds: it may ask twice. */
export const longestRequest = 2 * deadline
const replyLimit = 64 * 1024
/** What is assumed of a token that does not say how long it lives, in seconds; and the most that is believed. */
const silentLifetime = 300
const longestLifetime = 24 * 60 * 60

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

function buildRequest({ id, secret, scope, grant }: TokenClient, proof: ClientProof) {
  const asked = grant ?? { grant_type: 'client_credentials', ...(scope && { scope }) }
  const form = new URLSearchParams(asked)
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

async function ask(client: TokenClient, proof: ClientProof) {
  try {
    const { headers, body } = buildRequest(client, proof)
    const raw = await sendHttpRequest({
      url: client.url,
      method: 'POST',
      headers,
      body,
      deadline,
      limit: replyLimit,
      isGuarded: client.isGuarded,
    })
    return raw.status === 200 ? { status: 200, reply: await decodeReply(raw, (text) => text) } : { status: raw.status }
  } catch (cause) {
    // Whatever was written to the token server: of the request to the service itself, nothing was.
    const code = cause instanceof AppError ? cause.code : 'upstream-credential'
    const told = code === 'upstream-unreachable' || code === 'upstream-timeout' ? code : 'upstream-credential'
    throw new AppError(told, { detail: refusals.noAccessTokenCouldBeFetched, written: false }, { cause })
  }
}

/**
 * Asks a token server for an access token, by client credentials unless a grant is named, once, or a second time
 * with the other way of proving the client. Throws AppError 'upstream-credential', 'upstream-unreachable' or
 * 'upstream-timeout'; always with evidence.written false, for the service has been sent nothing.
 */
export async function requestToken(client: TokenClient, proof: ClientProof): Promise<Token & { proof: ClientProof }> {
  const first = await ask(client, proof)
  const isRefused = first.status === 400 || first.status === 401
  const other = proof === 'basic' ? 'body' : 'basic'
  const answer = isRefused ? await ask(client, other) : first
  const read = tokenReply.safeParse(answer.reply?.json)
  if (!read.success) {
    throw new AppError('upstream-credential', {
      detail: answer.reply ? 'The token server did not answer with a bearer token.' : 'The token server refused.',
      upstream: { status: answer.status },
      written: false,
    })
  }
  const seconds = Math.min(read.data.expires_in ?? silentLifetime, longestLifetime)
  const { access_token: value, refresh_token: refresh = null } = read.data
  return { value, lifetime: seconds * 1_000, refresh, proof: isRefused ? other : proof }
}

type Held = { value: string; renewAt: number; expiresAt: number }

const second = 1_000
/** A token is renewed this long before its end, or a fifth of its life before where that is less. */
const ahead = 60 * second
/** After a token that was refused as soon as it was fetched, no other is fetched on a 401 for so long. */
const refusedRest = 30 * second
const longestPause = 30 * second
/** Tokens that a late reply might still repeat. */
const mostRecent = 4

/**
 * One client's access tokens: fetched when first needed, kept, renewed before they end (the present one serves
 * meanwhile), one request for a token at a time. A token server that fails is left alone for 1 s, then 2, 4 …
 * at most 30 s. `now` is there for tests: milliseconds of a clock that only goes forward.
 */
export class TokenSource {
  readonly #client: TokenClient
  readonly #now: () => number
  #held: Held | null = null
  #running: Promise<Held> | null = null
  #recent: readonly string[] = []
  #proof: ClientProof = 'basic'
  #failed: { failure: AppError; times: number; until: number } | null = null
  #isDoubted = false
  #restUntil = 0

  constructor(client: TokenClient, now = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  async #ask(): Promise<Held> {
    const began = this.#now()
    try {
      const { value, lifetime, proof } = await requestToken(this.#client, this.#proof)
      this.#proof = proof
      this.#failed = null
      this.#recent = [value, ...this.#recent].slice(0, mostRecent)
      const renewAt = began + lifetime - Math.min(ahead, lifetime / 5)
      this.#held = { value, renewAt, expiresAt: began + lifetime }
      return this.#held
    } catch (error) {
      const failure = error instanceof AppError ? error : new AppError('internal', { written: false }, { cause: error })
      const times = (this.#failed?.times ?? 0) + 1
      const pause = Math.min(longestPause, second * 2 ** (times - 1))
      this.#failed = { failure, times, until: this.#now() + pause }
      throw failure
    } finally {
      this.#running = null
    }
  }

  #renew(): Promise<Held> {
    if (this.#running) return this.#running
    if (this.#failed && this.#now() < this.#failed.until) {
      const { code, evidence } = this.#failed.failure
      return Promise.reject(new AppError(code, { ...evidence }, { cause: this.#failed.failure }))
    }
    this.#running = this.#ask()
    return this.#running
  }

  /** A token that has not ended. Throws Failure as `requestToken`. */
  async read(): Promise<string> {
    const now = this.#now()
    if (!this.#held || now >= this.#held.expiresAt) return (await this.#renew()).value
    // The present one still serves: a renewal that fails is tried again by a later request.
    if (now >= this.#held.renewAt) this.#renew().catch(() => undefined)
    return this.#held.value
  }

  /** Says that the service answered 401 to a token. True: it is worth one more try with another. */
  refuse(value: string): boolean {
    if (this.#held?.value !== value) return true
    const now = this.#now()
    if (now < this.#restUntil) return false
    if (this.#isDoubted) {
      this.#isDoubted = false
      this.#restUntil = now + refusedRest
      return false
    }
    this.#isDoubted = true
    this.#held = null
    return true
  }

  /** Says that the service took a token. */
  accept(value: string): void {
    if (this.#held?.value === value) this.#isDoubted = false
  }

  /** What must never be shown. */
  get secrets(): readonly string[] {
    return [this.#client.secret, ...this.#recent]
  }
}
