import { Webhook } from 'standardwebhooks'
import { type Agent, request } from 'undici'
import { HiddenAddressError } from './connect-checked'

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
const patience = 20_000
/** Of a reply nobody reads; enough to let an ordinary one end by itself. */
const mostReply = 65_536
/** How long it may take to end, in milliseconds. */
const replyPatience = 5_000

async function drain(body: AsyncIterable<unknown> & { destroy: () => unknown }): Promise<void> {
  let read = 0
  const impatience = setTimeout(() => body.destroy(), replyPatience)
  try {
    for await (const chunk of body) {
      read += Buffer.isBuffer(chunk) ? chunk.length : 0
      if (read > mostReply) break
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
      signal: AbortSignal.any([AbortSignal.timeout(patience), signal]),
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
