const reserve = 5
const share = 0.05

/**
 * How many requests may be sent again: five, and one more for every twenty that were sent since, never more
 * than five at once. So what is sent again stays under a tenth of what is sent, from the hundredth on.
 */
export class RetryBudget {
  #left = reserve

  /** Takes note of a request that was asked for. */
  note(): void {
    this.#left = Math.min(reserve, this.#left + share)
  }

  /** Whether one request may be sent again; it is then counted. */
  take(): boolean {
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
