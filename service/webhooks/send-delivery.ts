import type { LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { Agent, buildConnector, request } from 'undici'
import { isPublicAddress } from '@/lib/api-contract/callback-address'
import type { CallbackPolicy } from './callback-policy'

/** Thrown when a name resolves to an address that is not public. */
export class HiddenAddressError extends Error {
  constructor() {
    super('The callback does not resolve to public addresses alone')
    this.name = 'HiddenAddressError'
  }
}

/** Resolves once, checks every answer, and hands out only what was checked: nothing can change in between. */
function checkedLookup(policy: CallbackPolicy): LookupFunction {
  return (host, options, hand) => {
    policy.resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(isPublicAddress)) return hand(new HiddenAddressError(), '', 4)
        const familyOf = (address: string) => (address.includes(':') ? 6 : 4)
        if (options.all)
          return hand(
            null,
            addresses.map((address) => ({ address, family: familyOf(address) })),
          )
        return hand(null, first, familyOf(first))
      },
      (error: unknown) => hand(error instanceof Error ? error : new Error(String(error)), '', 4),
    )
  }
}

/** Bytes that one connection may bring: a reply of 64 KB and its headers, in pieces of up to 64 KB. */
const MAX_READ_BYTES = 131_072

/** Connects, and hangs up on whoever says too much before there is a body whose size could be looked at. */
function limitedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, hand) =>
    connect(target, (...[error, socket]) => {
      if (error || !socket) return hand(error ?? new Error('There is no connection'), null)
      socket.on('readable', () => {
        if (socket.bytesRead > MAX_READ_BYTES) socket.destroy(new Error('The receiver says too much'))
      })
      hand(null, socket)
    })
}

/** Connections for callbacks: `checked` for all, `trusted` for hosts and ports that the operator has allowed by name. */
export function openAgents(policy: CallbackPolicy): { checked: Agent; trusted: Agent; close: () => Promise<void> } {
  // A connection serves one delivery: what was checked is never reused for another name.
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
  /** One, or two while the second is being replaced by the first. */
  secrets: readonly string[]
  body: string
  at: Date
  /** Breaks the delivery off: its subscription has ended. */
  signal: AbortSignal
}

/** How an attempt ended: `status` when the receiver answered, else `error` in a word for the log. */
export type Attempt = {
  delivered: boolean
  status: number | null
  error: string | null
  /** The receiver's Retry-After as it came. */
  retryAfter?: string
}

/** The longest an attempt may take, in milliseconds. */
const SEND_TIMEOUT_MS = 20_000
/** Of a reply nobody reads; enough to let an ordinary one end by itself. */
const MAX_REPLY_BYTES = 65_536
/** How long it may take to end, in milliseconds. */
const REPLY_TIMEOUT_MS = 5_000

async function drain(body: AsyncIterable<unknown> & { destroy: () => unknown }): Promise<void> {
  let read = 0
  const impatience = setTimeout(() => body.destroy(), REPLY_TIMEOUT_MS)
  try {
    for await (const chunk of body) {
      read += Buffer.isBuffer(chunk) ? chunk.length : 0
      if (read > MAX_REPLY_BYTES) break
    }
  } finally {
    clearTimeout(impatience)
    body.destroy()
  }
}

function explain(error: unknown): string {
  if (error instanceof HiddenAddressError) return 'hidden-address'
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : error.name
  return code.slice(0, 60)
}

/**
 * Posts one delivery, signed as Standard Webhooks does over exactly the bytes sent. 2xx is success; a
 * redirect is a failure and never followed.
 */
export async function sendDelivery(agent: Agent, { id, url, secrets, body, at, signal }: Outgoing): Promise<Attempt> {
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
    // The receiver has answered; what else it says changes nothing.
    await drain(reply.body).catch(() => undefined)
    const told = typeof retryAfter === 'string' ? { retryAfter } : {}
    return { delivered, status: reply.statusCode, error: delivered ? null : 'refused', ...told }
  } catch (error) {
    return { delivered: false, status: null, error: explain(error) }
  }
}
