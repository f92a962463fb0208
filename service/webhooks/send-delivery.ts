import { Webhook } from 'standardwebhooks'
import { type Agent, request } from 'undici'
import { HiddenAddressError } from './connect-checked'

export type Outgoing = { id: string; url: string; secret: string; body: string; at: Date }

/** How an attempt ended: `status` when the receiver answered, else `error` in a word for the log. */
export type Attempt = { delivered: boolean; status: number | null; error: string | null }

/** The longest an attempt may take, in milliseconds. */
const patience = 20_000
/** Of a reply nobody reads; enough to let an ordinary one end by itself. */
const mostReply = 65_536

async function drain(body: AsyncIterable<unknown> & { destroy: () => unknown }): Promise<void> {
  let read = 0
  try {
    for await (const chunk of body) {
      read += Buffer.isBuffer(chunk) ? chunk.length : 0
      if (read > mostReply) break
    }
  } finally {
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
export async function sendDelivery(agent: Agent, { id, url, secret, body, at }: Outgoing): Promise<Attempt> {
  try {
    const reply = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(patience),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'direct-debit-service',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      body,
    })
    const delivered = reply.statusCode >= 200 && reply.statusCode < 300
    // The receiver has answered; what else it says changes nothing.
    await drain(reply.body).catch(() => undefined)
    return { delivered, status: reply.statusCode, error: delivered ? null : 'refused' }
  } catch (error) {
    return { delivered: false, status: null, error: explain(error) }
  }
}
