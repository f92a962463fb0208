import type * as z from 'zod'
import { addresses, type EndpointId, type PathParameter } from '@/lib/contract/addresses'
import type { Endpoints } from '@/lib/contract/endpoints'
import type { Problem } from '@/lib/contract/problem'
import { quietHeader } from '@/lib/contract/session-times'
import { CallError } from './call-error'
import { getDeskHeaders } from './desk-headers'
import { askAboutAnotherUser, askToSignIn } from './identity-question'

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
        ...getDeskHeaders(),
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
  if (code === 'signed-out') askToSignIn()
  if (code === 'another-user') askAboutAnotherUser()
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
export async function call<Id extends EndpointId>(id: Id, input: CallInput<Id>): Promise<CallReply<Id>> {
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
    ...(quiet && { [quietHeader]: '1' }),
  })) as Reply
}
