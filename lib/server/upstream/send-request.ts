import type { Connection } from './connection'
import { sendHttpRequest, type HttpRequest, type HttpReply } from './http-request'
import { AppError } from '../runtime/app-error'
import { log } from '../runtime/log'
import { getUpstreamState } from './upstream-state'
import * as refusals from '@/lib/words/refusals'

/** A request without the credential, which is added here. */
export type Sending = HttpRequest & {
  /** Sent whatever is known of the service, at once: a cancellation that is already marked as sending. */
  isUrgent: boolean
}

const distrust = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/u

/** A certificate that does not hold is more than a service that is away: somebody may stand between. */
function explain(error: unknown, { url, headers }: Sending): unknown {
  const cause = error instanceof AppError && error.code === 'upstream-unreachable' ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (!distrust.test(code)) return error
  log.error({
    event: 'security',
    kind: 'upstream-certificate',
    origin: url.origin,
    code,
    traceId: headers.traceparent?.slice(3, 35),
  })
  return new AppError(
    'upstream-unreachable',
    { detail: refusals.itsCertificateIsNotTrusted, written: false },
    { cause },
  )
}

function shorten<Request extends { deadline: number }>(request: Request, began: number): Request {
  return { ...request, deadline: Math.max(1, request.deadline - (performance.now() - began)) }
}

async function sendOnce(connection: Connection, sending: Sending): Promise<HttpReply> {
  const { breaker, gate } = getUpstreamState(connection)
  const { isUrgent, ...request } = sending
  if (isUrgent) return breaker.run(() => sendHttpRequest(request), { always: true })
  const began = performance.now()
  return gate(() => breaker.run(() => sendHttpRequest(shorten(request, began))))
}

/** A read whose socket broke before any answer is sent once more, within the budget; a write never is. */
async function sendSurely(connection: Connection, sending: Sending): Promise<HttpReply> {
  const { budget } = getUpstreamState(connection)
  const began = performance.now()
  budget.note()
  try {
    return await sendOnce(connection, sending)
  } catch (error) {
    const broke = error instanceof AppError && error.code === 'upstream-unreachable' && error.evidence.written === true
    if (sending.method !== 'GET' || !broke || !budget.take()) throw explain(error, sending)
    return sendOnce(connection, shorten(sending, began))
  }
}

/** Waits for a credential no longer than the request itself may take. */
async function authorize({ credential }: Connection, sending: Sending): Promise<Sending> {
  const headers = { ...sending.headers }
  const began = performance.now()
  const applied = credential.apply(headers)
  if (!applied) return { ...sending, headers }
  const { deadline, signal } = sending
  const expiry = AbortSignal.any([AbortSignal.timeout(Math.ceil(deadline)), ...(signal ? [signal] : [])])
  const expired = new Promise<never>((_, reject) => {
    const giveUp = () =>
      reject(new AppError('upstream-timeout', { detail: refusals.noAccessTokenCameInTime, written: false }))
    if (expiry.aborted) giveUp()
    else expiry.addEventListener('abort', giveUp, { once: true })
  })
  await Promise.race([applied, expired])
  return { ...shorten(sending, began), headers }
}

/**
 * Sends a request with the connection's credential and reads its reply, whatever its status: past the breaker
 * and the gate of its wire, once more where a read's socket broke, and once more with a fresh credential after
 * a 401, all within one deadline. Throws Failure as `exchange` and Credential.apply do.
 */
export async function sendRequest(connection: Connection, sending: Sending): Promise<HttpReply> {
  const began = performance.now()
  const first = await authorize(connection, sending)
  const reply = await sendSurely(connection, first)
  if (!connection.credential.judge(first.headers, reply.status)) return reply
  try {
    const second = await authorize(connection, shorten(sending, began))
    const answer = await sendSurely(connection, second)
    connection.credential.judge(second.headers, answer.status)
    return answer
  } catch (error) {
    // Nothing came of the first, and the second was never sent: the 401 is still the answer.
    if (error instanceof AppError && error.evidence.written === false) return reply
    throw error
  }
}
