import type { IncomingMessage, ServerResponse } from 'node:http'
import { getSessionCookies } from '../auth/session-cookie'

/** A little above the most that any handler takes (1 MB; without a session 20 KB), so that it still sees that it is too much. */
const mostOfSession = 1_114_112
const mostOfStranger = 65_536

/** Whether as much of a body has come as is kept while nobody reads it: no more will before somebody does. */
export function hasMuchCome({ readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return readableLength >= readableHighWaterMark
}

/**
 * Takes in no more of a request's body than a handler needs to refuse it: Next by itself keeps up to 10 MB of every
 * request in memory, whoever sends it, before a handler is asked (BF-14). `onMore` is called whenever some of it has come, and at its end.
 */
export function limitBody(request: IncomingMessage, onMore: () => void): void {
  const isStranger = !request.headers.cookie?.includes(getSessionCookies().sessionToken.name)
  const most = isStranger ? mostOfStranger : mostOfSession
  const push = request.push.bind(request)
  let size = 0
  const take = (chunk: Uint8Array | null): boolean => {
    if (chunk === null) return push(null)
    size += chunk.byteLength
    // What is too much is read and let fall: the handler has enough to refuse it.
    return size - chunk.byteLength > most ? true : push(chunk)
  }
  request.push = (chunk: Uint8Array | null) => {
    const mayGoOn = take(chunk)
    onMore()
    return mayGoOn
  }
}

/** Requests of one peer that are worked on at a time: more than a few browsers ask for at once. */
export const mostRunning = 16

/** Of these, requests whose body is still on its way: uploads, and whoever sends a large one slowly on purpose. */
export const mostReceiving = 4

type Run = () => void
type Turn = { request: IncomingMessage; run: Run }
type Turns = { running: Set<ServerResponse>; receiving: Set<ServerResponse>; waiting: Map<ServerResponse, Turn> }

function countRequests({ running, waiting }: Turns): number {
  return running.size + waiting.size
}

/** Whether a peer takes its reply more slowly than it is written. */
function isUnread({ socket }: ServerResponse): boolean {
  return (socket?.writableLength ?? 0) > 0
}

function findNext({ running, receiving, waiting }: Turns): [ServerResponse, Turn] | undefined {
  if (running.size >= mostRunning) return undefined
  const mayReceive = receiving.size < mostReceiving
  return [...waiting].find(([, { request }]) => request.complete || (mayReceive && hasMuchCome(request)))
}

/** Shares the desk's work out by peer: whoever asks for much at once waits for themselves, and nobody else does. */
export class PeerQueue {
  readonly #peers = new Map<string, Turns>()

  /**
   * Runs something for a request now, or once fewer of its peer's requests are running; never once the client is gone.
   * A body is waited for without a turn, so that one who sends slowly keeps none from their neighbours behind the same
   * address. A request runs until its reply is closed: Next's promise is no measure, for that of an abandoned file
   * never settles.
   */
  take(peer: string, request: IncomingMessage, response: ServerResponse, run: Run): void {
    const turns = this.#peers.get(peer) ?? { running: new Set(), receiving: new Set(), waiting: new Map() }
    this.#peers.set(peer, turns)
    turns.waiting.set(response, { request, run })
    limitBody(request, () => {
      if (request.complete) turns.receiving.delete(response)
      this.#goOn(peer, turns)
    })
    response.once('close', () => {
      turns.waiting.delete(response)
      turns.running.delete(response)
      turns.receiving.delete(response)
      this.#goOn(peer, turns)
    })
    this.#goOn(peer, turns)
  }

  /**
   * Ends a request to make room for a connection, of the peer with the most: the last to come that has not begun, else
   * the one running longest that is still coming or whose reply is not read. Does nothing where all are worked on.
   */
  giveUpOne(): void {
    const peers = [...this.#peers.values()].toSorted((one, other) => countRequests(other) - countRequests(one))
    for (const { waiting, running, receiving } of peers) {
      const isSlow = (response: ServerResponse) => receiving.has(response) || isUnread(response)
      const least = [...waiting.keys()].at(-1) ?? [...running].find(isSlow)
      if (least) return void least.destroy()
    }
  }

  #goOn(peer: string, turns: Turns): void {
    for (let next = findNext(turns); next; next = findNext(turns)) {
      const [response, { request, run }] = next
      turns.waiting.delete(response)
      turns.running.add(response)
      if (!request.complete) turns.receiving.add(response)
      run()
    }
    // The rest of a body comes also after its reply: by then the peer may have begun anew.
    if (countRequests(turns) === 0 && this.#peers.get(peer) === turns) this.#peers.delete(peer)
  }
}
