import type { LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { Agent, buildConnector, request } from 'undici'
import { isPublicAddress } from '@/lib/api-contract/callback-address'
import type { CallbackPolicy } from './callback-policy'

export class HiddenAddressError extends Error {
  constructor() {
    super('The callback does not resolve to public addresses alone')
    this.name = 'HiddenAddressError'
  }
}

/** Resolves a name once, checks all addresses and returns only checked ones, so that nothing can change in between. */
function checkedLookup(policy: CallbackPolicy): LookupFunction {
  return (host, options, respond) => {
    policy.resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(isPublicAddress)) return respond(new HiddenAddressError(), '', 4)
        const familyOf = (address: string) => (address.includes(':') ? 6 : 4)
        if (options.all)
          return respond(
            null,
            addresses.map((address) => ({ address, family: familyOf(address) })),
          )
        return respond(null, first, familyOf(first))
      },
      (error: unknown) => respond(error instanceof Error ? error : new Error(String(error)), '', 4),
    )
  }
}

/** Maximum bytes read from a connection: a reply of 64 KB and its headers, in chunks of up to 64 KB. */
const MAX_READ_BYTES = 131_072

/** Closes a connection that sends too much before there is a body whose size is limited. */
function limitedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, respond) =>
    connect(target, (...[error, socket]) => {
      if (error || !socket) return respond(error ?? new Error('There is no connection'), null)
      socket.on('readable', () => {
        if (socket.bytesRead > MAX_READ_BYTES) socket.destroy(new Error('The receiver says too much'))
      })
      respond(null, socket)
    })
}

/** Agents for callbacks: `trusted` for hosts and ports that the operator allowed by name, `checked` for all others. */
export function openAgents(policy: CallbackPolicy): { checked: Agent; trusted: Agent; close: () => Promise<void> } {
  // One delivery per connection: a checked address is never reused for another name.
  const shared = { pipelining: 0, maxResponseSize: 65_536, headersTimeout: 15_000, bodyTimeout: 5_000 }
  const checked = new Agent({
    ...shared,
    connect: limitedConnector({ lookup: checkedLookup(policy), timeout: 10_000 }),
  })
  const trusted = new Agent({ ...shared, connect: limitedConnector({ timeout: 10_000 }) })
  return {
    checked,
    trusted,
    close: async () => {
      await Promise.all([checked.destroy(), trusted.destroy()])
    },
  }
}

export type Outgoing = {
  id: string
  url: string
  /** The current one, followed by the previous one during a renewal. */
  secrets: readonly string[]
  body: string
  /** Aborts the delivery when its subscription ends. */
  signal: AbortSignal
}

/** The outcome of an attempt: `status` if the receiver replied; `error` is a code. */
export type Attempt = {
  delivered: boolean
  status: number | null
  error: string | null
  /** The receiver's raw Retry-After. */
  retryAfter?: string
}

const SEND_TIMEOUT_MS = 20_000
/** Reply bodies are discarded; this much is read so that ordinary ones end by themselves. */
const MAX_REPLY_BYTES = 65_536
const REPLY_TIMEOUT_MS = 5_000

async function drain(body: AsyncIterable<unknown> & { destroy: () => unknown }): Promise<void> {
  let read = 0
  const timeout = setTimeout(() => body.destroy(), REPLY_TIMEOUT_MS)
  try {
    for await (const chunk of body) {
      read += Buffer.isBuffer(chunk) ? chunk.length : 0
      if (read > MAX_REPLY_BYTES) break
    }
  } finally {
    clearTimeout(timeout)
    body.destroy()
  }
}

function errorCode(error: unknown): string {
  if (error instanceof HiddenAddressError) return 'hidden-address'
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : error.name
  return code.slice(0, 60)
}

/**
 * Posts a delivery, signed over exactly the bytes sent (Standard Webhooks), at the real time: receivers refuse any other.
 * 2xx is success; a redirect is a failure and never followed.
 */
export async function sendDelivery(agent: Agent, { id, url, secrets, body, signal }: Outgoing): Promise<Attempt> {
  const at = new Date()
  try {
    const reply = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.any([AbortSignal.timeout(SEND_TIMEOUT_MS), signal]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'direct-debit-service',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
      },
      body,
    })
    const delivered = reply.statusCode >= 200 && reply.statusCode < 300
    const retryAfter = reply.headers['retry-after']
    // The status decides; errors in the body change nothing.
    await drain(reply.body).catch(() => undefined)
    return {
      delivered,
      status: reply.statusCode,
      error: delivered ? null : 'refused',
      ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
    }
  } catch (error) {
    return { delivered: false, status: null, error: errorCode(error) }
  }
}
