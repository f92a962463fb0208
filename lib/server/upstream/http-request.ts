import { isIP, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector, Client, type Dispatcher } from 'undici'
import { isPublicAddress, normalizedHost } from '@/lib/api-contract/callback-address'
import { HiddenAddressError, lookupPublicAddress } from './public-lookup'
import { AppError, type ErrorEvidence } from '../runtime/app-error'
import { log } from '../runtime/log'
import * as m from '@/lib/messages/m'

export type HttpRequest = {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | undefined
  /** Milliseconds for the whole exchange. */
  deadline: number
  /** Maximum bytes of the body as received. */
  limit: number
  signal?: AbortSignal | undefined
  /** Whether to connect only to public addresses, whatever the name resolves to. */
  isGuarded?: boolean | undefined
  /** Called once the socket is open, which may take long; if it resolves to false, nothing is written. */
  confirm?: (() => Promise<boolean>) | undefined
  /** Called right before the first byte is written; if it returns false, nothing is. */
  mayStart?: (() => boolean) | undefined
}

export type HttpReply = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

// undici's timeouts are off: they apply per phase and are renewed by trickling bytes. Our own deadline replaces them.
const options = {
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 32_768,
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot override it.
  connect: { timeout: 5_000, rejectUnauthorized: true },
}

/** Reads share keep-alive sockets. */
const readAgent = new Agent({ ...options, connections: 256, pipelining: 1 })
/** Each write gets its own socket: if the service closed an idle one, the outcome would be unknown. */
const writeAgent = new Agent({ ...options, connections: 256, pipelining: 0 })

/** For addresses entered by users, who must not reach into the desk's own network. */
const guardedOptions = { ...options, connect: { ...options.connect, lookup: lookupPublicAddress() } }
const guardedReadAgent = new Agent({ ...guardedOptions, connections: 64, pipelining: 1 })
const guardedWriteAgent = new Agent({ ...guardedOptions, connections: 64, pipelining: 0 })

/** A client for one request that is confirmed between opening the socket and sending the first byte. */
function makeConfirmedClient(
  { url, isGuarded }: HttpRequest,
  confirm: () => Promise<boolean>,
  refuse: () => void,
): Client {
  const settings = isGuarded ? guardedOptions : options
  const connect = buildConnector(settings.connect)
  const open = (options: buildConnector.Options): Promise<Socket> =>
    new Promise((resolve, reject) => {
      connect(options, (error, socket) => (error ? reject(error) : resolve(socket)))
    })
  const openConfirmed = callbackify(async (options: buildConnector.Options) => {
    const socket = await open(options)
    const isConfirmed = await confirm().catch(() => false)
    if (isConfirmed && socket.writable) return socket
    if (!isConfirmed) refuse()
    socket.destroy()
    throw new Error('the socket was given up before anything was written')
  })
  return new Client(url.origin, {
    ...settings,
    pipelining: 0,
    connect: (options, callback) =>
      openConfirmed(options, (error, socket) => (error ? callback(error, null) : callback(null, socket))),
  })
}

function pickAgent({ method, isGuarded }: HttpRequest): Agent {
  if (isGuarded) return method === 'GET' ? guardedReadAgent : guardedWriteAgent
  return method === 'GET' ? readAgent : writeAgent
}

const socketErrors = /^(?:UND_ERR_SOCKET|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SSL_.*)$/u

function readCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The events of one request in undici's dispatcher; settles exactly once. */
class HttpExchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined
  #written = false
  #status: number | undefined
  #headers: HttpReply['headers'] = {}
  #chunks: Buffer[] = []
  #size = 0
  #failure: AppError | undefined

  constructor(
    readonly limit: number,
    readonly mayStart: () => boolean,
    readonly settle: (result: HttpReply | AppError) => void,
  ) {}

  #evidence() {
    return { written: this.#written, ...(this.#status !== undefined && { upstream: { status: this.#status } }) }
  }

  /** Aborts from our side; a request that has not been written never will be. */
  stop(code: 'upstream-timeout' | 'upstream-bad-reply', evidence: ErrorEvidence, cause?: unknown): void {
    this.#failure ??= new AppError(code, { ...evidence, ...this.#evidence() }, { cause })
    this.#controller?.abort(this.#failure)
    this.settle(this.#failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.mayStart()) this.stop('upstream-timeout', { detail: m.refusals_itsTimeHadPassed(), isHeldBack: true })
    else if (this.#failure) controller.abort(this.#failure)
    else this.#written = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpReply['headers']): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.limit) this.stop('upstream-bad-reply', { detail: m.refusals_replyTooLarge() })
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#status === undefined) return this.stop('upstream-bad-reply', { detail: m.refusals_replyHasNoStatus() })
    this.settle({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks, this.#size) })
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#failure) return this.settle(this.#failure)
    // An error after sending that is no broken socket means an invalid reply.
    if (this.#status !== undefined || (this.#written && !socketErrors.test(readCode(error)))) {
      return this.stop('upstream-bad-reply', { detail: m.refusals_replyBrokeOff() }, error)
    }
    this.settle(new AppError('upstream-unreachable', { written: this.#written }, { cause: error }))
  }
}

/** Whether a host is a private address itself; Node looks up names only, which `lookupPublicAddress` checks. */
function isPrivateAddress(url: URL): boolean {
  const host = normalizedHost(url)
  return isIP(host) !== 0 && !isPublicAddress(host)
}

const certificateErrors = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/u

/** An untrusted certificate is reported apart from an unreachable service: somebody may be intercepting. */
function explain(error: AppError, { url, headers }: HttpRequest): AppError {
  const cause = error.code === 'upstream-unreachable' ? error.cause : undefined
  const code = cause instanceof Error ? readCode(cause) : ''
  if (!certificateErrors.test(code)) return error
  log.error({
    event: 'security',
    kind: 'upstream-certificate',
    origin: url.origin,
    code,
    ...(headers.traceparent !== undefined && { traceId: headers.traceparent.slice(3, 35) }),
  })
  const detail = m.refusals_itsCertificateIsNotTrusted()
  return new AppError('upstream-unreachable', { detail, written: false }, { cause })
}

const givenUp = (): ErrorEvidence => ({ detail: m.refusals_theRequestWasGivenUp(), isHeldBack: true })

/** The error of a request whose time ran out, or that was aborted, while it waited for its turn to be sent. */
export function makeUnsentTimeout({ deadline, signal }: Pick<HttpRequest, 'deadline' | 'signal'>): AppError {
  const seconds = Math.round(deadline / 1_000)
  const evidence = signal?.aborted
    ? givenUp()
    : { detail: m.refusals_itHadSeconds({ seconds }), isHeldBack: true as const }
  return new AppError('upstream-timeout', { ...evidence, written: false })
}

/**
 * Sends one request and reads its whole reply, whatever its status; follows no redirects and retries nothing. Throws
 * AppError 'upstream-unreachable' (an untrusted certificate is logged as a security event), 'upstream-timeout' (one
 * deadline for everything) or 'upstream-bad-reply' (truncated, too large, not HTTP). evidence.written is false only if
 * nothing of the request was sent; evidence.upstream.status is set if the reply had begun.
 */
export async function sendHttpRequest(request: HttpRequest): Promise<HttpReply> {
  const { url, method, headers, body, deadline, limit, signal, confirm, mayStart, isGuarded } = request
  // Not by timers alone: a resumed process may find the socket ready before they have run.
  const end = performance.now() + deadline
  if (signal?.aborted) throw new AppError('upstream-timeout', { ...givenUp(), written: false })
  if (isGuarded && isPrivateAddress(url))
    throw new AppError('upstream-unreachable', { written: false }, { cause: new HiddenAddressError() })
  return new Promise((resolve, reject) => {
    const isInTime = () => performance.now() < end && (mayStart?.() ?? true)
    const exchange = new HttpExchange(limit, isInTime, (result) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      if (result instanceof AppError) reject(explain(result, request))
      else resolve(result)
    })
    const giveUp = () => exchange.stop('upstream-timeout', givenUp())
    const refuse = () => exchange.stop('upstream-timeout', { detail: m.refusals_itsTimeHadPassed(), isHeldBack: true })
    const timer = setTimeout(
      () =>
        exchange.stop('upstream-timeout', {
          detail: m.refusals_itHadSeconds({ seconds: Math.round(deadline / 1000) }),
        }),
      deadline,
    )
    signal?.addEventListener('abort', giveUp, { once: true })
    const client = confirm && makeConfirmedClient(request, confirm, refuse)
    const dispatcher = client ?? pickAgent(request)
    dispatcher.dispatch(
      { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers, body: body ?? null },
      exchange,
    )
    // Closed once its one request has ended.
    void client?.close().catch(() => undefined)
  })
}
