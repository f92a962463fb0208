import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Unanswered requests of one connection. Browsers send one at a time, so only a flood exceeds it. */
export const MAX_OUTSTANDING = 8

type Run = () => void

/**
 * Bounds what a server's connections may consume. Node parses all requests of a chunk at once and passes all of them on:
 * 155 KB of pipelined requests would start 4,000 pages. Here the requests of a connection run one after the other, and a
 * connection with more than MAX_OUTSTANDING of them is closed before the first begins.
 */
export class Connections {
  readonly #server: Server
  /** Requests waiting behind the one being answered, per busy connection. */
  readonly #busy = new Map<Duplex, Run[]>()
  /** Connections without a request, longest idle first. */
  readonly #idle = new Set<Duplex>()
  readonly #dropRequest: Run
  #isRetiring = false
  #isDraining = false
  #onQuiet: Run | undefined

  /** `dropRequest` ends a dispensable request, if there is one, to make room for a connection. */
  constructor(server: Server, dropRequest: Run) {
    this.#server = server
    this.#dropRequest = dropRequest
    server.on('connection', (socket) => this.#open(socket))
    server.on('timeout', (socket) => this.#endStuck(socket))
  }

  #open(socket: Duplex): void {
    this.#makeRoom()
    this.#idle.add(socket)
    socket.once('close', () => {
      this.#idle.delete(socket)
      // Nobody waits for the queued ones; the running request sees its own `close` event.
      this.#busy.get(socket)?.splice(0)
    })
  }

  /** Node rejects connections at `maxConnections`: a new one displaces an idle, waiting or unread one instead. */
  #makeRoom(): void {
    if (this.#busy.size + this.#idle.size + 1 < this.#server.maxConnections) return
    const [longestIdle] = this.#idle
    if (longestIdle) longestIdle.destroy()
    else this.#dropRequest()
  }

  /** Ends connections that are idle or whose peer reads nothing of its reply. */
  #endStuck(socket: Duplex): void {
    if (this.#idle.has(socket) || socket.writableLength > 0) socket.destroy()
  }

  /** Calls `run` once the earlier requests of the same connection have been answered. */
  answerInTurn({ socket }: IncomingMessage, response: ServerResponse, run: Run): void {
    if (socket.destroyed) return
    const begin = () => {
      response.once('close', () => this.#runNext(socket))
      // Lets every request of the same chunk be counted before the first begins.
      setImmediate(() => {
        if (socket.destroyed) return this.#runNext(socket)
        // Its proxy or browser then opens the next connection where requests still go.
        if (this.#isRetiring) response.setHeader('connection', 'close')
        run()
      })
    }
    const waiting = this.#busy.get(socket)
    if (!waiting) {
      this.#idle.delete(socket)
      this.#busy.set(socket, [])
      begin()
    } else if (waiting.length + 1 < MAX_OUTSTANDING) {
      waiting.push(begin)
    } else {
      socket.destroy()
    }
  }

  #runNext(socket: Duplex): void {
    const next = this.#busy.get(socket)?.shift()
    if (next) return next()
    this.#busy.delete(socket)
    if (!socket.destroyed) this.#idle.add(socket)
    if (this.#isDraining) this.#server.closeIdleConnections()
    if (this.#busy.size === 0) this.#onQuiet?.()
  }

  isBusy(socket: Duplex): boolean {
    return this.#busy.has(socket)
  }

  /** Stops managing a connection that was upgraded to another protocol. */
  release(socket: Duplex): void {
    this.#idle.delete(socket)
    if (socket instanceof Socket) socket.setTimeout(0)
  }

  /** From now on each connection ends with its next reply. */
  retire(): void {
    this.#isRetiring = true
  }

  /** Stops accepting connections; resolves when every received request has been answered. */
  async drain(): Promise<void> {
    this.#isDraining = true
    this.#server.close()
    if (this.#busy.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve
      })
    }
    this.#server.closeAllConnections()
  }
}
