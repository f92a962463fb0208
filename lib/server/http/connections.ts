import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Requests of one connection that may wait for their replies. Browsers send one at a time, so only a flood meets it. */
export const mostOutstanding = 8

type Run = () => void

/**
 * Bounds what the connections of a server may take. Node parses every request in a chunk at once and hands all of them
 * on, so that 155 KB of pipelined requests are 4,000 pages in the making: here the requests of a connection are answered
 * one after the other, and a connection with more than `mostOutstanding` of them is closed before the first is begun.
 */
export class Connections {
  readonly #server: Server
  /** What waits behind the request that is being answered, per connection with one. */
  readonly #busy = new Map<Duplex, Run[]>()
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Set<Duplex>()
  readonly #giveUpOne: Run
  #isDraining = false
  #whenQuiet: Run | undefined

  /** `giveUpOne` ends a request that can be spared, where there is one, to make room for a connection. */
  constructor(server: Server, giveUpOne: Run) {
    this.#server = server
    this.#giveUpOne = giveUpOne
    server.on('connection', (socket) => this.#open(socket))
    server.on('timeout', (socket) => this.#endStuck(socket))
  }

  #open(socket: Duplex): void {
    this.#makeRoom()
    this.#idle.add(socket)
    socket.once('close', () => {
      this.#idle.delete(socket)
      // Nobody waits for the rest; the request that is being answered has heard of it by its own `close`.
      this.#busy.get(socket)?.splice(0)
    })
  }

  /** Node turns connections away at `maxConnections`: a new one takes the place of one that asks for nothing, waits, or is not read. */
  #makeRoom(): void {
    if (this.#busy.size + this.#idle.size + 1 < this.#server.maxConnections) return
    const [longestIdle] = this.#idle
    if (longestIdle) longestIdle.destroy()
    else this.#giveUpOne()
  }

  /** Ends a connection that asks for nothing, and one whose peer takes nothing of its reply. */
  #endStuck(socket: Duplex): void {
    if (this.#idle.has(socket) || socket.writableLength > 0) socket.destroy()
  }

  /** Answers a request with `run` once those before it on the same connection have been answered. */
  answerInTurn({ socket }: IncomingMessage, response: ServerResponse, run: Run): void {
    if (socket.destroyed) return
    const begin = () => {
      response.once('close', () => this.#goOn(socket))
      // What came in the same chunk is counted before anything is begun.
      setImmediate(() => (socket.destroyed ? this.#goOn(socket) : run()))
    }
    const waiting = this.#busy.get(socket)
    if (!waiting) {
      this.#idle.delete(socket)
      this.#busy.set(socket, [])
      begin()
    } else if (waiting.length + 1 < mostOutstanding) {
      waiting.push(begin)
    } else {
      socket.destroy()
    }
  }

  #goOn(socket: Duplex): void {
    const next = this.#busy.get(socket)?.shift()
    if (next) return next()
    this.#busy.delete(socket)
    if (!socket.destroyed) this.#idle.add(socket)
    if (this.#isDraining) this.#server.closeIdleConnections()
    if (this.#busy.size === 0) this.#whenQuiet?.()
  }

  /** Whether a request of this connection is still being answered. */
  isBusy(socket: Duplex): boolean {
    return this.#busy.has(socket)
  }

  /** Leaves a connection that no longer speaks HTTP to whoever took it over. */
  release(socket: Duplex): void {
    this.#idle.delete(socket)
    if (socket instanceof Socket) socket.setTimeout(0)
  }

  /** Accepts no connection any more; done when everything that was asked has been answered. */
  async drain(): Promise<void> {
    this.#isDraining = true
    this.#server.close()
    if (this.#busy.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenQuiet = resolve
      })
    }
    this.#server.closeAllConnections()
  }
}
