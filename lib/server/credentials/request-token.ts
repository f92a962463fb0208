import * as z from 'zod'
import { exchange } from '../exchange'
import { Failure } from '../failure'
import { readReply } from '../reply-reading'
import * as refusals from '@/lib/words/refusals'

/** Where and as whom a token is asked for. `scope` is sent as it is. */
export type TokenClient = {
  url: URL
  id: string
  secret: string
  scope?: string | undefined
  /** What is asked with; client credentials (RFC 6749 section 4.4) if it is not said. */
  grant?: Record<string, string> | undefined
  /** See ExchangeRequest. */
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
    const raw = await exchange({
      url: client.url,
      method: 'POST',
      headers,
      body,
      deadline,
      limit: replyLimit,
      isGuarded: client.isGuarded,
    })
    return raw.status === 200 ? { status: 200, reply: await readReply(raw, (text) => text) } : { status: raw.status }
  } catch (cause) {
    // Whatever was written to the token server: of the request to the service itself, nothing was.
    const code = cause instanceof Failure ? cause.code : 'upstream-credential'
    const told = code === 'upstream-unreachable' || code === 'upstream-timeout' ? code : 'upstream-credential'
    throw new Failure(told, { detail: refusals.noAccessTokenCouldBeFetched, written: false }, { cause })
  }
}

/**
 * Asks a token server for an access token, by client credentials unless a grant is named, once, or a second time
 * with the other way of proving the client. Throws Failure 'upstream-credential', 'upstream-unreachable' or
 * 'upstream-timeout'; always with evidence.written false, for the service has been sent nothing.
 */
export async function requestToken(client: TokenClient, proof: ClientProof): Promise<Token & { proof: ClientProof }> {
  const first = await ask(client, proof)
  const isRefused = first.status === 400 || first.status === 401
  const other = proof === 'basic' ? 'body' : 'basic'
  const answer = isRefused ? await ask(client, other) : first
  const read = tokenReply.safeParse(answer.reply?.json)
  if (!read.success) {
    throw new Failure('upstream-credential', {
      detail: answer.reply ? 'The token server did not answer with a bearer token.' : 'The token server refused.',
      upstream: { status: answer.status },
      written: false,
    })
  }
  const seconds = Math.min(read.data.expires_in ?? silentLifetime, longestLifetime)
  const { access_token: value, refresh_token: refresh = null } = read.data
  return { value, lifetime: seconds * 1_000, refresh, proof: isRefused ? other : proof }
}
