import type { ServerResponse } from 'node:http'

/** Requests of one peer that are worked on at a time: more than a few browsers ask for at once. */
export const mostRunning = 16

type Run = () => void
type Turns = { running: number; waiting: Map<ServerResponse, Run> }

/** Shares the desk's work out by peer: whoever asks for much at once waits for themselves, and nobody else does. */
export class PeerTurns {
  readonly #peers = new Map<string, Turns>()

  /**
   * Runs something for a reply now, or once fewer of its peer's requests are running; never once the client is gone. A
   * request runs until its reply is closed: Next's promise is no measure, for that of an abandoned file never settles.
   */
  take(peer: string, response: ServerResponse, run: Run): void {
    const turns = this.#peers.get(peer) ?? { running: 0, waiting: new Map() }
    this.#peers.set(peer, turns)
    turns.waiting.set(response, run)
    response.once('close', () => turns.waiting.delete(response))
    this.#goOn(peer, turns)
  }

  /** Ends the request that came last of the peer with the most that wait; does nothing where none waits. */
  giveUpWaiting(): void {
    const [most] = [...this.#peers.values()].toSorted((one, other) => other.waiting.size - one.waiting.size)
    const last = [...(most?.waiting.keys() ?? [])].at(-1)
    if (!last) return
    most?.waiting.delete(last)
    last.destroy()
  }

  #goOn(peer: string, turns: Turns): void {
    const [next] = turns.waiting
    if (next && turns.running < mostRunning) {
      const [response, run] = next
      turns.waiting.delete(response)
      turns.running += 1
      response.once('close', () => {
        turns.running -= 1
        this.#goOn(peer, turns)
      })
      run()
    } else if (turns.running === 0) {
      this.#peers.delete(peer)
    }
  }
}
