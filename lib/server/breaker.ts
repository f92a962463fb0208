import { Failure } from './failure'
import * as refusals from '@/lib/words/refusals'

const most = 5
/** So long nothing is sent after the fifth failure, in milliseconds: a service that is back is noticed within 10 s. */
const rest = 5_000

/** What a request told of the connection: that it holds, that it does not, or nothing. */
function readVerdict(error: unknown): 'holds' | 'fails' | 'nothing' {
  if (!(error instanceof Failure)) return 'nothing'
  if (error.code === 'upstream-unreachable') return 'fails'
  return error.evidence.written === true ? 'holds' : 'nothing'
}

/**
 * Keeps requests from a service that cannot be connected to: after five failures in a row it refuses for 5 s,
 * then lets one request through to see, and the others when that was answered. A reply of any status, and one
 * that comes too late, shows a connection that holds. `now` is there for tests, in milliseconds.
 */
export class Breaker {
  #failures = 0
  #openUntil = 0
  #isProbing = false

  constructor(readonly now = () => performance.now()) {}

  #admit(): boolean {
    if (this.#failures < most) return false
    const left = this.#openUntil - this.now()
    if (left > 0 || this.#isProbing) {
      throw new Failure('upstream-unreachable', {
        detail: refusals.itIsLeftAlone,
        retryAfter: Math.max(1, Math.ceil(left / 1_000)),
        written: false,
      })
    }
    this.#isProbing = true
    return true
  }

  #note(verdict: 'holds' | 'fails' | 'nothing'): void {
    if (verdict === 'holds') this.#failures = 0
    if (verdict !== 'fails') return
    this.#failures += 1
    if (this.#failures >= most) this.#openUntil = this.now() + rest
  }

  /**
   * Runs a task unless the service is being left alone; then throws Failure 'upstream-unreachable' with
   * evidence.written false. What is `always` run is only taken note of.
   */
  async run<Result>(task: () => Promise<Result>, { always = false } = {}): Promise<Result> {
    const isProbe = always ? false : this.#admit()
    try {
      const result = await task()
      this.#note('holds')
      return result
    } catch (error) {
      this.#note(readVerdict(error))
      throw error
    } finally {
      if (isProbe) this.#isProbing = false
    }
  }
}
