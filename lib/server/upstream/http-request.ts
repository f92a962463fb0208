import type { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector, Client, type Dispatcher } from 'undici'
import { lookupPublicAddress } from './public-lookup'
import { AppError } from '../runtime/app-error'
import * as refusals from '@/lib/words/refusals'

export type HttpRequest = {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | undefined
  /** Milliseconds from now until the whole reply must have been read. */
  deadline: number
  /** The most bytes of the body that are kept, as they come over the wire. */
  limit: number
  signal?: AbortSignal | undefined
  /** Connect to public addresses alone, whatever the name resolves to. */
  isGuarded?: boolean | undefined
  /** Asked once the socket is open, which may have taken long: false, and nothing is written. */
  confirm?: (() => Promise<boolean>) | undefined
  /** Asked in the moment before the first byte is written, wherever the process was held up until then. */
  mayStart?: (() => boolean) | undefined
}

export type HttpReply = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

// Our own deadline is the only one: undici's are per phase, and bytes that trickle renew them.
const shared = {
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 32_768,
  // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED cannot unsay it.
  connect: { timeout: 5_000, rejectUnauthorized: true },
}

/** Reads share sockets that stay open. */
const reading = new Agent({ ...shared, connections: 256, pipelining: 1 })
/** A write gets a socket of its own: one that the service closed while idle would leave its outcome unknown. */
const writing = new Agent({ ...shared, connections: 256, pipelining: 0 })

/** The same for addresses that users have entered: nobody may reach into the desk's own network through it. */
const guarded = { ...shared, connect: { ...shared.connect, lookup: lookupPublicAddress() } }
const guardedReading = new Agent({ ...guarded, connections: 64, pipelining: 1 })
const guardedWriting = new Agent({ ...guarded, connections: 64, pipelining: 0 })

/** A client for one request that is to be confirmed between its open socket and its first byte. */
function makeConfirmedClient(
  { url, isGuarded }: HttpRequest,
  confirm: () => Promise<boolean>,
  refuse: () => void,
): Client {
  const settings = isGuarded ? guarded : shared
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
  if (isGuarded) return method === 'GET' ? guardedReading : guardedWriting
  return method === 'GET' ? reading : writing
}

const tooLate = 'Its time had passed before it was sent.'

const brokenSocket = /^(?:UND_ERR_SOCKET|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SSL_.*)$/u

function readCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** One request, one reply, as undici's dispatcher tells it; settled exactly once. */
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

  /** Ends it from our side. Before the request was written it never will be. */
  stop(code: 'upstream-timeout' | 'upstream-bad-reply', detail: string, cause?: unknown): void {
    this.#failure ??= new AppError(code, { detail, ...this.#evidence() }, { cause })
    this.#controller?.abort(this.#failure)
    this.settle(this.#failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.mayStart()) this.stop('upstream-timeout', tooLate)
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
    if (this.#size > this.limit) this.stop('upstream-bad-reply', 'The reply is too large.')
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#status === undefined) return this.stop('upstream-bad-reply', 'The reply has no status.')
    this.settle({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks, this.#size) })
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#failure) return this.settle(this.#failure)
    // What broke after the request went out and is no broken socket was something else than a sound reply.
    if (this.#status !== undefined || (this.#written && !brokenSocket.test(readCode(error)))) {
      return this.stop('upstream-bad-reply', 'The reply broke off or was not HTTP.', error)
    }
    this.settle(new AppError('upstream-unreachable', { written: this.#written }, { cause: error }))
  }
}

/**
 * Sends one request and reads its whole reply, whatever its status; follows no redirect, retries nothing.
 * Throws AppError 'upstream-unreachable', 'upstream-timeout' (the deadline is for everything together) or
 * 'upstream-bad-reply' (broken off, too large, not HTTP); evidence.written is false only when no byte of
 * the request was sent, evidence.upstream.status is there when the reply had begun.
 */
export async function sendHttpRequest(request: HttpRequest): Promise<HttpReply> {
  const { url, method, headers, body, deadline, limit, signal, confirm, mayStart } = request
  // A process that was stopped comes back to a socket that is ready before its timers have run.
  const end = performance.now() + deadline
  if (signal?.aborted) throw new AppError('upstream-timeout', { detail: refusals.theRequestWasGivenUp, written: false })
  return new Promise((resolve, reject) => {
    const isInTime = () => performance.now() < end && (mayStart?.() ?? true)
    const running = new HttpExchange(limit, isInTime, (result) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      if (result instanceof AppError) reject(result)
      else resolve(result)
    })
    const giveUp = () => running.stop('upstream-timeout', 'The request was given up.')
    const refuse = () => running.stop('upstream-timeout', tooLate)
    const timer = setTimeout(
      () => running.stop('upstream-timeout', `It had ${Math.round(deadline / 1000)} s.`),
      deadline,
    )
    signal?.addEventListener('abort', giveUp, { once: true })
    const client = confirm && makeConfirmedClient(request, confirm, refuse)
    const dispatcher = client ?? pickAgent(request)
    dispatcher.dispatch(
      { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers, body: body ?? null },
      running,
    )
    // Closed once its one request has ended.
    void client?.close().catch(() => undefined)
  })
}
