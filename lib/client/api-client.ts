import type * as z from 'zod'
import { addresses, type EndpointId, type PathParameter } from '@/lib/api-contract/addresses'
import type { Endpoints } from '@/lib/api-contract/endpoints'
import type { Problem, SerializedFailure } from '@/lib/api-contract/problem'
import { backgroundRequestHeader } from '@/lib/domain/accounts'
import { promptAnotherUser, promptSignIn, promptStepUp } from './identity-prompt'
import { getRequestHeaders } from './page-context'

/**
 * A request of the browser that was not answered with success. `status` is 0 where nothing was answered.
 * `code` is the word at the end of the problem's type (a ErrorCode of the desk's server), or one of
 * our own: `desk-unreachable`, `desk-timeout`, `desk-bad-reply`.
 */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** The desk's problem record with its extensions; null where there was none. */
    readonly problem: (Problem & Record<string, unknown>) | null = null,
    /** Whole seconds after which a repetition is welcome. */
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(problem?.detail ?? problem?.title ?? code, options)
    this.name = 'CallError'
  }

  /** What the server's own reading for a page came to, as a call of the browser's would have. */
  static of({ status, code, problem, retryAfter }: SerializedFailure): CallError {
    return new CallError(status, code, problem, retryAfter)
  }
}

/**
 * A random UUID (version 4). `crypto.randomUUID` exists only in secure contexts, and a desk may stand behind
 * plain http in an office; `getRandomValues` is there in both.
 */
export function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type Needed<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }
type ParamsOf<Id extends EndpointId> = [PathParameter<(typeof addresses)[Id]['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParameter<(typeof addresses)[Id]['path']>, string> }

/** What an endpoint is called with: only what its contract names, all that it requires. */
export type CallInput<Id extends EndpointId> = ParamsOf<Id> &
  Needed<'body', InputOf<Endpoints[Id]['body']>> & {
    query?: InputOf<Endpoints[Id]['query']>
    signal?: AbortSignal
    /** A UUID that stands for this one write, however often it is sent. */
    idempotencyKey?: string
  }

/** Of a read, the reply as the contract reads it; of a write, the service's status and what it said. */
export type CallReply<Id extends EndpointId> = Endpoints[Id]['method'] extends 'GET'
  ? z.output<Endpoints[Id]['reply']>
  : { status: number; reply: z.output<Endpoints[Id]['reply']> | null }

/** Longer than any deadline of the desk's server, so that its word comes first. */
const deadline = 60_000

function readCode(problem: Problem | null, status: number): string {
  const word = /([a-z0-9-]+)$/u.exec(problem?.type ?? '')?.[1]
  return word && word !== 'blank' ? word : `http-${status}`
}

function readProblem(body: unknown): (Problem & Record<string, unknown>) | null {
  // Every refusal of the desk is a problem record of its own making: `type`, `title` and `status` are there.
  return typeof body === 'object' && body !== null && 'type' in body
    ? (body as Problem & Record<string, unknown>)
    : null
}

function readSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/u.test(header) ? Number(header) : null
}

async function send(
  path: string,
  method: string,
  body: unknown,
  signal: AbortSignal | undefined,
  headers?: Record<string, string>,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(deadline)
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
  throw makeRefusal(response, json)
}

/**
 * What a reply without success says, as it is thrown; `json` is its body, if that could be read. Whoever turns out
 * to be signed out is asked to sign in again, in place.
 */
export function makeRefusal({ status, headers }: Response, json: unknown): CallError {
  const problem = readProblem(json)
  const code = readCode(problem, status)
  if (code === 'signed-out') promptSignIn()
  if (code === 'another-user') promptAnotherUser()
  return new CallError(status, code, problem, readSeconds(headers.get('retry-after')))
}

function fillPath(template: string, params: Record<string, string> | undefined): string {
  return template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
}

function writeQuery(query: Record<string, unknown> | undefined): string {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()}`
}

/**
 * Calls an endpoint of the service through the gateway (`/api/service` + its documented path). Throws CallError; a call ended by its own `signal` rejects
 * with the signal's reason.
 */
export async function callEndpoint<Id extends EndpointId>(id: Id, input: CallInput<Id>): Promise<CallReply<Id>> {
  const { method, path } = addresses[id]
  const address = `/api/service${path === '/' ? '' : fillPath(path, input.params)}${writeQuery(input.query)}`
  // The gateway has parsed the reply with the contract's schema before it came here.
  const headers = input.idempotencyKey === undefined ? undefined : { 'idempotency-key': input.idempotencyKey }
  return (await send(address, method, input.body, input.signal, headers)) as CallReply<Id>
}

type DeskCall = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Of a call that a page makes by itself: it does not keep its reader signed in. */
  quiet?: boolean
}

/**
 * Calls the desk's own routes: `path` is what follows `/api/desk`, such as `/cancellations?open=1`.
 * `Reply` is the caller's word for what that route answers. Throws CallError.
 */
export async function callDesk<Reply>(
  path: `/${string}`,
  { method = 'GET', body, signal, headers, quiet = false }: DeskCall = {},
): Promise<Reply> {
  return (await send(`/api/desk${path}`, method, body, signal, {
    ...headers,
    ...(quiet && { [backgroundRequestHeader]: '1' }),
  })) as Reply
}

/**
 * Runs what may need a recent password; where the desk asks for one, so does the page, and what was asked for is
 * run once more when it was given. Throws the CallError `step-up` when the person would rather not.
 */
export async function retryAfterStepUp<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'step-up') throw error
    const { proof, why }: Record<string, unknown> = error.problem ?? {}
    const isProven = await promptStepUp(
      proof === 'provider' ? 'provider' : 'password',
      typeof why === 'string' ? why : null,
    )
    if (!isProven) throw error
    return action()
  }
}
