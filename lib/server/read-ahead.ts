import { Failure } from './failure'

/** How far a reader has walked through one list, and what was read ahead of it. */
type Walk<Reply> = {
  /** The offset that comes next, if the reader goes on. */
  next: string
  /** When the page before it was answered (monotonic, ms). */
  answeredAt: number
  /** How many pages were asked for in a row. */
  steps: number
  /** The pages from `next` on, each read once the one before it was; null where the list went no further. */
  ahead: Promise<Reply | null>[]
}

/** A reader who asks again within this time is walking; what was read ahead is hardly older. */
const pace = 1_000
/** Pages that are read ahead of one walk at most: one from its second step on, then one more with each step. */
const farthest = 3
/** Walks that are remembered at most. */
const most = 64

type Read<Reply> = (after: string, isAhead: boolean) => Promise<Reply>
type NextOf<Reply> = (reply: Reply) => string | null

/**
 * Reads the next pages of a list while its reader still takes in this one, so that a walk through many pages costs the
 * service's time or the reader's, not both, and a page that either is slow with does not hold the other up. Only for
 * who is walking: whoever asked for two pages in a row, the second within a second of the first. At most three pages
 * are read that nobody asks for.
 */
export class ReadAhead<Reply> {
  readonly #walks = new Map<string, Walk<Reply>>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Answers the page at `after`: as it was read ahead, or by `read`. `walk` names the reader and the list: nothing of
   * one is ever given to another. `nextOf` says which offset a reply leads to, null where it leads nowhere.
   * Throws what `read` throws.
   */
  async read(walk: string, after: string, read: Read<Reply>, nextOf: NextOf<Reply>): Promise<Reply> {
    const known = this.#walks.get(walk)
    this.#walks.delete(walk)
    const goesOn = known?.next === after && this.#now() - known.answeredAt < pace
    const [first, ...rest] = goesOn ? known.ahead : []
    const taken = first ? await this.#take(first) : null
    const reply = taken ?? (await read(after, false))
    const next = nextOf(reply)
    if (next === null) return reply
    const steps = goesOn ? known.steps + 1 : 0
    // What followed a page that went wrong went wrong with it.
    const ahead = this.#extend(next, taken === null ? [] : rest, Math.min(farthest, steps), read, nextOf)
    this.#remember(walk, { next, answeredAt: this.#now(), steps, ahead })
    return reply
  }

  /** As many pages as are wanted: those that are there, and further ones, one after the other. */
  #extend(
    next: string,
    known: Promise<Reply | null>[],
    wanted: number,
    read: Read<Reply>,
    nextOf: NextOf<Reply>,
  ): Promise<Reply | null>[] {
    const ahead = [...known]
    while (ahead.length < wanted) {
      const last = ahead.at(-1)
      const page = last
        ? last.then((before) => {
            const from = before && nextOf(before)
            return from ? read(from, true) : null
          })
        : read(next, true)
      // Nobody may ever ask for it; whoever does is told by the promise itself.
      page.catch(() => undefined)
      ahead.push(page)
    }
    return ahead
  }

  /** What was read ahead; null where that went wrong and is to be tried once more. A service that is busy said so just now. */
  async #take(ahead: Promise<Reply | null>): Promise<Reply | null> {
    return ahead.catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'upstream-slow-down') throw error
      return null
    })
  }

  #remember(walk: string, state: Walk<Reply>): void {
    this.#walks.set(walk, state)
    if (this.#walks.size <= most) return
    const [oldest] = this.#walks.keys()
    if (oldest !== undefined) this.#walks.delete(oldest)
  }
}
