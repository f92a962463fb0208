import type * as z from 'zod'
import { addresses, type EndpointId, type PathParameter } from '@/lib/api-contract/addresses'
import type { Endpoints } from '@/lib/api-contract/endpoints'
import type { Problem, SerializedFailure } from '@/lib/api-contract/problem'
import { backgroundRequestHeader } from '@/lib/domain/accounts'
import { promptAnotherUser, promptSignIn, promptStepUp } from './identity-prompt'
import { getRequestHeaders } from './page-context'

/**
 * A failed request. `status` is 0 when there was no reply. `code` is the last segment of the problem type (an
 * ErrorCode of the dashboard's server), or one of our own: `desk-unreachable`, `desk-timeout`, `desk-bad-reply`.
 */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** The problem details with their extensions; null if there were none. */
    readonly problem: (Problem & Record<string, unknown>) | null = null,
    /** Seconds from `Retry-After`. */
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(problem?.detail ?? problem?.title ?? code, options)
    this.name = 'CallError'
  }

  /** The error for a failure that the server already met while rendering the page. */
  static of({ status, code, problem, retryAfter }: SerializedFailure): CallError {
    return new CallError(status, code, problem, retryAfter)
  }
}

/** Error codes that mean "not carried out" whatever the request: they say nothing of an earlier attempt. */
const NOT_EXECUTED_CODES = [
  'upstream-credential',
  'store-unavailable',
  'upstream-slow-down',
  'step-up',
  'signed-out',
  'another-user',
  'owner-signed-out',
  'forbidden',
  'no-such-merchant',
  'cross-origin',
  'too-many-attempts',
]

export function isNotExecuted(error: unknown): boolean {
  return error instanceof CallError && NOT_EXECUTED_CODES.includes(error.code)
}

/** Whether nobody can say if a write was carried out that failed with this. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof CallError) || isNotExecuted(error)) return false
  return error.status === 0 || error.status >= 500 || error.code === 'desk-bad-reply'
}

/**
 * A random UUID (version 4). `crypto.randomUUID` exists only in secure contexts, and the dashboard may run on plain
 * http within an office network; `getRandomValues` works in both.
 */
export function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type RequiredInput<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }
type ParamsOf<Id extends EndpointId> = [PathParameter<(typeof addresses)[Id]['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParameter<(typeof addresses)[Id]['path']>, string> }

/** The input of an endpoint, derived from its contract. */
export type CallInput<Id extends EndpointId> = ParamsOf<Id> &
  RequiredInput<'body', InputOf<Endpoints[Id]['body']>> & {
    query?: InputOf<Endpoints[Id]['query']>
    signal?: AbortSignal
    /** A UUID that identifies this write across retries. */
    idempotencyKey?: string
    /** As in DeskCallOptions. */
    quiet?: boolean
  }

/** For a read the parsed reply; for a write the API's status and its reply. */
export type CallReply<Id extends EndpointId> = Endpoints[Id]['method'] extends 'GET'
  ? z.output<Endpoints[Id]['reply']>
  : { status: number; reply: z.output<Endpoints[Id]['reply']> | null }

/** Longer than any timeout of the server, so that its error arrives first. */
const REQUEST_TIMEOUT_MS = 60_000

function parseCode(problem: Problem | null, status: number): string {
  const word = /([a-z0-9-]+)$/u.exec(problem?.type ?? '')?.[1]
  return word && word !== 'blank' ? word : `http-${status}`
}

function parseProblem(body: unknown): (Problem & Record<string, unknown>) | null {
  // Every error of our server is problem details with `type`, `title` and `status`.
  return typeof body === 'object' && body !== null && 'type' in body
    ? (body as Problem & Record<string, unknown>)
    : null
}

function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/u.test(header) ? Number(header) : null
}

async function send(
  path: string,
  method: string,
  body: unknown,
  signal: AbortSignal | undefined,
  headers?: Record<string, string>,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  let response: Response
  let text: string
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...getRequestHeaders(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'error',
      cache: 'no-store',
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new CallError(0, timeout.aborted ? 'desk-timeout' : 'desk-unreachable', null, null, { cause })
  }
  let json: unknown
  try {
    json = text === '' ? null : JSON.parse(text)
  } catch (cause) {
    if (response.ok) throw new CallError(response.status, 'desk-bad-reply', null, null, { cause })
  }
  if (response.ok) return json
  throw toCallError(response, json, { isQuiet: headers?.[backgroundRequestHeader] !== undefined })
}

/**
 * Converts an error reply; `json` is its body, if readable. A 401 opens the sign-in prompt over the page, for a request
 * in the background (`isQuiet`) unless the user has declined it.
 */
export function toCallError({ status, headers }: Response, json: unknown, { isQuiet = false } = {}): CallError {
  const problem = parseProblem(json)
  const code = parseCode(problem, status)
  if (code === 'signed-out') promptSignIn({ isQuiet })
  if (code === 'another-user') promptAnotherUser({ isQuiet })
  return new CallError(status, code, problem, parseRetryAfter(headers.get('retry-after')))
}

function fillPath(template: string, params: Record<string, string> | undefined): string {
  return template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
}

function formatQuery(query: Record<string, unknown> | undefined): string {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()}`
}

/**
 * Calls an upstream endpoint through the gateway (`/api/service` + its documented path). Throws CallError; aborting
 * `signal` rejects with its reason.
 */
export async function callEndpoint<Id extends EndpointId>(id: Id, input: CallInput<Id>): Promise<CallReply<Id>> {
  const { method, path } = addresses[id]
  const address = `/api/service${path === '/' ? '' : fillPath(path, input.params)}${formatQuery(input.query)}`
  // The gateway has already parsed the reply with the contract's schema.
  const headers = {
    ...(input.idempotencyKey !== undefined && { 'idempotency-key': input.idempotencyKey }),
    ...(input.quiet && { [backgroundRequestHeader]: '1' }),
  }
  return (await send(address, method, input.body, input.signal, headers)) as CallReply<Id>
}

type DeskCallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
  /** For background requests: they don't extend the session. */
  quiet?: boolean
}

/**
 * Calls the dashboard's own API: `path` follows `/api/desk`, such as `/cancellations?open=1`. The caller asserts the
 * type of the reply. Throws CallError.
 */
export async function callDesk<Reply>(
  path: `/${string}`,
  { method = 'GET', body, signal, headers, quiet = false }: DeskCallOptions = {},
): Promise<Reply> {
  return (await send(`/api/desk${path}`, method, body, signal, {
    ...headers,
    ...(quiet && { [backgroundRequestHeader]: '1' }),
  })) as Reply
}

/** Calls `/api/second-factor`, which also answers a sign-in that lacks its second factor. Like callDesk. */
export async function callSecondFactor<Reply>(
  path: '' | `/${string}`,
  { method = 'GET', body }: Pick<DeskCallOptions, 'method' | 'body'> = {},
): Promise<Reply> {
  return (await send(`/api/second-factor${path}`, method, body, undefined)) as Reply
}

/** For a deletion: what is gone already is deleted, by a second press or by somebody else. Rethrows any other error. */
export function acceptGone(error: unknown): null {
  if (error instanceof CallError && error.code === 'not-found') return null
  throw error
}

/**
 * Runs an action that may need a recent password. If the server demands one, prompts for it and retries once.
 * Rethrows the CallError `step-up` if the user declines.
 */
export async function retryAfterStepUp<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'step-up') throw error
    const { proof, why }: Record<string, unknown> = error.problem ?? {}
    const isProven = await promptStepUp(
      proof === 'provider' || proof === 'factor' ? proof : 'password',
      typeof why === 'string' ? why : null,
    )
    if (!isProven) throw error
    return action()
  }
}
