import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBearer } from '../api-tokens/token-text'
import { getSessionCookies } from '../auth/session-cookie'

/** Slightly above the most any handler accepts (1 MB; 20 KB without a session), so that the handler still refuses it. */
const MAX_SESSION_BODY_BYTES = 1_114_112
const MAX_ANONYMOUS_BODY_BYTES = 65_536

/** Whether the read buffer is full: no more arrives until somebody reads. */
export function isBufferFull({ readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return readableLength >= readableHighWaterMark
}

/**
 * Stops taking in a request's body once a handler has enough to refuse it: Next by itself buffers up to 10 MB of every
 * request, whoever sends it, before calling a handler (BF-14). `onProgress` is called for every chunk and at the end.
 */
export function limitBody(request: IncomingMessage, onProgress: () => void): void {
  const { authorization, cookie } = request.headers
  const isAnonymous = readBearer(authorization) === null && !cookie?.includes(getSessionCookies().sessionToken.name)
  const maxBytes = isAnonymous ? MAX_ANONYMOUS_BODY_BYTES : MAX_SESSION_BODY_BYTES
  const push = request.push.bind(request)
  let size = 0
  const pushBounded = (chunk: Uint8Array | null): boolean => {
    if (chunk === null) return push(null)
    size += chunk.byteLength
    // The excess is read and discarded.
    return size - chunk.byteLength > maxBytes ? true : push(chunk)
  }
  request.push = (chunk: Uint8Array | null) => {
    const wantsMore = pushBounded(chunk)
    onProgress()
    return wantsMore
  }
}

/** Concurrent requests of one peer: more than a few browsers send at once. */
export const MAX_RUNNING = 16
/** How many of those may still be receiving their body: uploads, or slow senders. */
export const MAX_RECEIVING = 4

type Run = () => void
type QueuedRequest = { request: IncomingMessage; run: Run }
type PeerRequests = {
  running: Set<ServerResponse>
  receiving: Set<ServerResponse>
  waiting: Map<ServerResponse, QueuedRequest>
}

function countRequests({ running, waiting }: PeerRequests): number {
  return running.size + waiting.size
}

/** Whether a peer reads its reply more slowly than it is written. */
function isUnread({ socket }: ServerResponse): boolean {
  return (socket?.writableLength ?? 0) > 0
}

function findNext({ running, receiving, waiting }: PeerRequests): [ServerResponse, QueuedRequest] | undefined {
  if (running.size >= MAX_RUNNING) return undefined
  const mayReceive = receiving.size < MAX_RECEIVING
  return [...waiting].find(([, { request }]) => request.complete || (mayReceive && isBufferFull(request)))
}

/** Queues requests per peer, so that a peer with many requests delays only itself. */
export class PeerQueue {
  readonly #peers = new Map<string, PeerRequests>()

  /**
   * Runs a request now, or once fewer of its peer's requests are running; never after the client is gone. Receiving a
   * body takes no slot, so that a slow sender doesn't block its neighbours behind the same address. A request runs
   * until its reply is closed: Next's promise for an abandoned file never settles.
   */
  enqueue(peer: string, request: IncomingMessage, response: ServerResponse, run: Run): void {
    const turns = this.#peers.get(peer) ?? { running: new Set(), receiving: new Set(), waiting: new Map() }
    this.#peers.set(peer, turns)
    turns.waiting.set(response, { request, run })
    limitBody(request, () => {
      if (request.complete) turns.receiving.delete(response)
      this.#runNext(peer, turns)
    })
    response.once('close', () => {
      turns.waiting.delete(response)
      turns.running.delete(response)
      turns.receiving.delete(response)
      this.#runNext(peer, turns)
    })
    this.#runNext(peer, turns)
  }

  /**
   * Gives a running request's slot to others: its reply is a stream that stays open. Whoever serves such replies bounds
   * their number.
   */
  release(peer: string, response: ServerResponse): void {
    const turns = this.#peers.get(peer)
    if (!turns?.running.delete(response)) return
    turns.receiving.delete(response)
    this.#runNext(peer, turns)
  }

  /**
   * Ends one request of the busiest peer to make room for a connection: the newest that has not begun, else the oldest
   * running one that is still being received or whose reply is not read. Does nothing if there is none.
   */
  dropOne(): void {
    const peers = [...this.#peers.values()].toSorted((one, other) => countRequests(other) - countRequests(one))
    for (const { waiting, running, receiving } of peers) {
      const isSlow = (response: ServerResponse) => receiving.has(response) || isUnread(response)
      const victim = [...waiting.keys()].at(-1) ?? [...running].find(isSlow)
      if (victim) return void victim.destroy()
    }
  }

  /** How many requests of all peers wait. */
  countWaiting(): number {
    let sum = 0
    for (const { waiting } of this.#peers.values()) sum += waiting.size
    return sum
  }

  #runNext(peer: string, turns: PeerRequests): void {
    for (let next = findNext(turns); next; next = findNext(turns)) {
      const [response, { request, run }] = next
      turns.waiting.delete(response)
      turns.running.add(response)
      if (!request.complete) turns.receiving.add(response)
      run()
    }
    // The rest of a body may arrive after its reply, when the peer may have a new entry.
    if (countRequests(turns) === 0 && this.#peers.get(peer) === turns) this.#peers.delete(peer)
  }
}
