import type { Continuation, Page } from '@/lib/contract/page'
import { CallError } from './call-error'

/** Why a list may be incomplete: the service's own words did not lead on (`Continuation`), or led in a circle or nowhere. */
export type IncompleteReason =
  | (Continuation & { kind: 'incomplete' })['reason']
  | 'offset-repeated'
  | 'offset-refused'
  | 'nothing-new'
  | 'changed'

export type WalkState =
  | { kind: 'loading' }
  | { kind: 'more' }
  | { kind: 'complete' }
  | { kind: 'incomplete'; reason: IncompleteReason }
  /** `retryAt`: the moment (ms since the epoch) before which nothing is sent; it repeats itself then. */
  | { kind: 'failed'; error: CallError; retryAt: number | null }

type Ports<Row> = {
  /** Reads one page; `after` is undefined for the first. Throws CallError. */
  read: (after: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
  /** Takes in a page, which came for `after`, and answers how many of its rows were new. */
  take: (page: Page<Row>, after: string | undefined) => number
  /** Whether the reader wants more than is loaded: asked after every page. */
  wantsMore: () => boolean
  changed: () => void
  now?: () => number
}

/** A service that goes on for so many pages without a new row is going nowhere. */
const longestDrought = 20
const mostRepetitions = 3

function asCallError(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError(0, 'desk-unreachable', null, null, { cause: error })
}

/**
 * The walk through the pages of one list, one request at a time. It goes on as long as the reader wants
 * more, and ends on anything but a fresh `nextOffset` beside a true `hasMore`: a literal end, missing
 * words, an offset seen before or refused, twenty pages without a new row. A failure keeps what was loaded; 429
 * is repeated by itself, not before the moment that the service named, three times at most.
 */
export class PageWalk<Row> {
  readonly #ports: Ports<Row>
  readonly #seen = new Set<string>()
  #after: string | undefined
  #state: WalkState = { kind: 'loading' }
  #request: AbortController | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #drought = 0
  #hasMoved = false
  #repetitions = 0

  /** `first` is a page that was read elsewhere (by the server, for its HTML). */
  constructor(ports: Ports<Row>, first?: Page<Row>) {
    this.#ports = ports
    if (first) this.#accept(first)
  }

  get state(): WalkState {
    return this.#state
  }

  /** Reads on if the reader wants more and nothing stands in the way. Called at will. */
  run(): void {
    if (this.#request || this.#timer !== undefined) return
    if (this.#state.kind === 'failed') this.#repeatLater(this.#state.error)
    const isFirst = this.#after === undefined && this.#state.kind === 'loading'
    if (isFirst || (this.#state.kind === 'more' && this.#ports.wantsMore())) void this.#load()
  }

  /** Reads the next page because a person asked for it ("Load more", "Retry"), but not before `retryAt`. */
  step(): void {
    if (this.#request || this.#timer !== undefined) return
    this.#repetitions = 0
    if (this.#state.kind === 'more' || this.#state.kind === 'failed') void this.#load()
  }

  /** Begins as failed: the server could not read the first page. */
  fail(error: CallError): void {
    this.#state = { kind: 'failed', error, retryAt: null }
  }

  /** Ends what is under way; `run` takes it up again. */
  pause(): void {
    this.#request?.abort()
    this.#request = null
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#state.kind === 'loading' && this.#after !== undefined) this.#state = { kind: 'more' }
    else if (this.#state.kind === 'failed') this.#state = { ...this.#state, retryAt: null }
  }

  async #load(): Promise<void> {
    const request = new AbortController()
    this.#request = request
    this.#state = { kind: 'loading' }
    this.#ports.changed()
    // The next page is asked for before this one is shown: the service works while we paint.
    for (;;) {
      try {
        const page = await this.#ports.read(this.#after, request.signal)
        if (request.signal.aborted) return
        this.#accept(page)
      } catch (error) {
        if (request.signal.aborted) return
        this.#request = null
        this.#fail(asCallError(error))
        return
      }
      if (this.state.kind !== 'more' || !this.#ports.wantsMore()) break
      this.#state = { kind: 'loading' }
      this.#ports.changed()
    }
    this.#request = null
    this.#ports.changed()
  }

  #accept(page: Page<Row>): void {
    const added = this.#ports.take(page, this.#after)
    this.#repetitions = 0
    this.#drought = added === 0 ? this.#drought + 1 : 0
    // A later page with rows of an earlier one: they moved meanwhile, and others may have slipped through between.
    if (this.#after !== undefined && added < page.results.length) this.#hasMoved = true
    this.#state = this.#readContinuation(page.continuation)
  }

  #readContinuation(continuation: Continuation): WalkState {
    if (continuation.kind === 'end')
      return this.#hasMoved ? { kind: 'incomplete', reason: 'changed' } : { kind: 'complete' }
    if (continuation.kind === 'incomplete') return continuation
    if (this.#seen.has(continuation.after)) return { kind: 'incomplete', reason: 'offset-repeated' }
    if (this.#drought >= longestDrought) return { kind: 'incomplete', reason: 'nothing-new' }
    this.#seen.add(continuation.after)
    this.#after = continuation.after
    return { kind: 'more' }
  }

  #fail(error: CallError): void {
    this.#state =
      error.code === 'upstream-refused' && this.#after !== undefined
        ? { kind: 'incomplete', reason: 'offset-refused' }
        : { kind: 'failed', error, retryAt: null }
    this.#repeatLater(error)
    this.#ports.changed()
  }

  #repeatLater(error: CallError): void {
    if (error.status !== 429 || this.#repetitions >= mostRepetitions) return
    const seconds = error.retryAfter ?? 2 ** this.#repetitions
    const wait = Math.min(60, Math.max(1, seconds)) * 1_000
    this.#repetitions += 1
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#load()
    }, wait)
    this.#state = { kind: 'failed', error, retryAt: (this.#ports.now ?? Date.now)() + wait }
    this.#ports.changed()
  }
}
