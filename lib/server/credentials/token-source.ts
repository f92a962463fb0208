import { Failure } from '../failure'
import { type ClientProof, requestToken, type TokenClient } from './request-token'

type Held = { value: string; renewAt: number; expiresAt: number }

const second = 1_000
/** A token is renewed this long before its end, or a fifth of its life before where that is less. */
const ahead = 60 * second
/** After a token that was refused as soon as it was fetched, no other is fetched on a 401 for so long. */
const refusedRest = 30 * second
const longestPause = 30 * second
/** Tokens that a late reply might still repeat. */
const mostRecent = 4

/**
 * One client's access tokens: fetched when first needed, kept, renewed before they end (the present one serves
 * meanwhile), one request for a token at a time. A token server that fails is left alone for 1 s, then 2, 4 …
 * at most 30 s. `now` is there for tests: milliseconds of a clock that only goes forward.
 */
export class TokenSource {
  readonly #client: TokenClient
  readonly #now: () => number
  #held: Held | null = null
  #running: Promise<Held> | null = null
  #recent: readonly string[] = []
  #proof: ClientProof = 'basic'
  #failed: { failure: Failure; times: number; until: number } | null = null
  #isDoubted = false
  #restUntil = 0

  constructor(client: TokenClient, now = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  async #ask(): Promise<Held> {
    const began = this.#now()
    try {
      const { value, lifetime, proof } = await requestToken(this.#client, this.#proof)
      this.#proof = proof
      this.#failed = null
      this.#recent = [value, ...this.#recent].slice(0, mostRecent)
      const renewAt = began + lifetime - Math.min(ahead, lifetime / 5)
      this.#held = { value, renewAt, expiresAt: began + lifetime }
      return this.#held
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('internal', { written: false }, { cause: error })
      const times = (this.#failed?.times ?? 0) + 1
      const pause = Math.min(longestPause, second * 2 ** (times - 1))
      this.#failed = { failure, times, until: this.#now() + pause }
      throw failure
    } finally {
      this.#running = null
    }
  }

  #renew(): Promise<Held> {
    if (this.#running) return this.#running
    if (this.#failed && this.#now() < this.#failed.until) {
      const { code, evidence } = this.#failed.failure
      return Promise.reject(new Failure(code, { ...evidence }, { cause: this.#failed.failure }))
    }
    this.#running = this.#ask()
    return this.#running
  }

  /** A token that has not ended. Throws Failure as `requestToken`. */
  async read(): Promise<string> {
    const now = this.#now()
    if (!this.#held || now >= this.#held.expiresAt) return (await this.#renew()).value
    // The present one still serves: a renewal that fails is tried again by a later request.
    if (now >= this.#held.renewAt) this.#renew().catch(() => undefined)
    return this.#held.value
  }

  /** Says that the service answered 401 to a token. True: it is worth one more try with another. */
  refuse(value: string): boolean {
    if (this.#held?.value !== value) return true
    const now = this.#now()
    if (now < this.#restUntil) return false
    if (this.#isDoubted) {
      this.#isDoubted = false
      this.#restUntil = now + refusedRest
      return false
    }
    this.#isDoubted = true
    this.#held = null
    return true
  }

  /** Says that the service took a token. */
  accept(value: string): void {
    if (this.#held?.value === value) this.#isDoubted = false
  }

  /** What must never be shown. */
  get secrets(): readonly string[] {
    return [this.#client.secret, ...this.#recent]
  }
}
