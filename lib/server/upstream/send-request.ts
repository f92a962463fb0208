import type { Connection } from './connection'
import { makeUnsentTimeout, sendHttpRequest, type HttpRequest, type HttpReply } from './http-request'
import { AppError } from '../runtime/app-error'
import { getUpstreamState } from './upstream-state'
import * as m from '@/lib/messages/m'

/** A request without the credential, which is added here. */
export type Sending = HttpRequest & {
  /** Bypasses breaker and concurrency limit: a cancellation already marked as sending. */
  isUrgent: boolean
}

function shorten<Request extends { deadline: number }>(request: Request, began: number): Request {
  return { ...request, deadline: Math.max(1, request.deadline - (performance.now() - began)) }
}

async function sendOnce(connection: Connection, sending: Sending): Promise<HttpReply> {
  const { breaker, gate } = getUpstreamState(connection)
  const { isUrgent, ...request } = sending
  if (isUrgent) return breaker.run(() => sendHttpRequest(request), { always: true })
  const began = performance.now()
  const { deadline, signal } = request
  return gate(() => breaker.run(() => sendHttpRequest(shorten(request, began))), {
    deadline,
    signal,
    giveUp: () => makeUnsentTimeout(request),
  })
}

/** Retries a read once, within the budget, when its socket broke before any reply; never a write. */
async function sendWithRetry(connection: Connection, sending: Sending): Promise<HttpReply> {
  const { budget } = getUpstreamState(connection)
  const began = performance.now()
  budget.note()
  try {
    return await sendOnce(connection, sending)
  } catch (error) {
    const broke = error instanceof AppError && error.code === 'upstream-unreachable' && error.evidence.written === true
    if (sending.method !== 'GET' || !broke || !budget.take()) throw error
    return sendOnce(connection, shorten(sending, began))
  }
}

/** Adds the credential, another than in the `refused` headers, waiting for it no longer than the request's deadline. */
async function addCredential(
  { credential }: Connection,
  sending: Sending,
  refused?: Record<string, string>,
): Promise<Sending> {
  const headers = { ...sending.headers }
  const began = performance.now()
  const applied = credential.apply(headers, refused)
  if (!applied) return { ...sending, headers }
  const { deadline, signal } = sending
  const expiry = AbortSignal.any([AbortSignal.timeout(Math.ceil(deadline)), ...(signal ? [signal] : [])])
  const expired = new Promise<never>((_, reject) => {
    const giveUp = () =>
      reject(
        new AppError('upstream-timeout', {
          detail: m.refusals_noAccessTokenCameInTime(),
          written: false,
          ...(signal?.aborted && { isHeldBack: true }),
        }),
      )
    if (expiry.aborted) giveUp()
    else expiry.addEventListener('abort', giveUp, { once: true })
  })
  await Promise.race([applied, expired])
  return { ...shorten(sending, began), headers }
}

/**
 * Sends a request with the connection's credential and reads its reply, whatever its status. Passes the circuit breaker
 * and the concurrency limit, retries a read whose socket broke and a request answered 401 with a fresh credential, all
 * within one deadline. Throws AppError as sendHttpRequest and Credential.apply do.
 */
export async function sendRequest(connection: Connection, sending: Sending): Promise<HttpReply> {
  const began = performance.now()
  const first = await addCredential(connection, sending)
  const reply = await sendWithRetry(connection, first)
  if (!connection.credential.reportStatus(first.headers, reply.status)) return reply
  try {
    const second = await addCredential(connection, shorten(sending, began), first.headers)
    const retried = await sendWithRetry(connection, second)
    if (retried.status === 401) connection.credential.rest(second.headers)
    return retried
  } catch (error) {
    // The retry was never sent, so the 401 stands.
    if (error instanceof AppError && error.evidence.written === false) return reply
    throw error
  }
}
