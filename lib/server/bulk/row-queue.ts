import type { CancellationRow, Ledger } from '../cancellations/ledger'
import { after, elapsed } from '../cancellations/ledger-clock'
import type { Reading } from '../cancellations/pick-payment'
import { readPayment } from '../cancellations/read-payment'
import { changeBulk } from './change-bulk'
import { claimRows, findRunning, releaseRows } from './claim-rows'
import { readTogether } from './read-together'
import { walkForMany } from './walk-for-many'

/** A row that was taken for this process, and how its payment is read when it is its turn. */
export type Claimed = { row: CancellationRow; read: () => Promise<Reading> }

/** With readings of a shared walk: they are as old as its begin. */
const sharedRows = 200
const sharedWalk = 60_000
const sharedPages = 10_000
const readingLives = 60_000

/** The rows that this process works on next, a few at a time, from each running bulk in turn. */
export class RowQueue {
  readonly #ledger: Ledger
  #claimed: Claimed[] = []
  #staleAt = new Date(0)
  #turn = 0

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  get size(): number {
    return this.#claimed.length
  }

  /** The next row; undefined when none is left that was taken recently enough. */
  take(): Claimed | undefined {
    if (this.#ledger.clock.now() >= this.#staleAt) this.#claimed = []
    return this.#claimed.shift()
  }

  /** Takes up to `most` rows of the next bulk whose turn it is. Throws what the store throws. */
  async refill(most: number): Promise<void> {
    const running = await findRunning(this.#ledger)
    for (const { bulk, mayGoOn } of running) {
      if (mayGoOn) continue
      await changeBulk(this.#ledger, bulk.id, { action: 'stop', actor: 'desk', problem: 'revoked' })
    }
    const able = running.filter(({ mayGoOn }) => mayGoOn)
    for (let step = 0; step < able.length && this.#claimed.length === 0; step += 1) {
      this.#turn += 1
      const next = able[this.#turn % able.length]
      if (next) await this.#claim(next.bulk.id, most)
    }
  }

  /** Gives back what is left, all of it or that of one bulk. Throws what the store throws. */
  async giveBack(bulkId?: string): Promise<void> {
    const isGone = ({ row }: Claimed) => bulkId === undefined || row.bulkId === bulkId
    const gone = this.#claimed.filter(isGone)
    this.#claimed = this.#claimed.filter((one) => !isGone(one))
    await releaseRows(
      this.#ledger,
      gone.map(({ row }) => row),
    )
  }

  /** The first whose turn it is reads for all of them; whose turn comes much later reads anew. */
  #readByFilter(rows: readonly CancellationRow[], ids: readonly string[]): Claimed[] {
    const ledger = this.#ledger
    let together: Promise<{ at: Date; readings: Map<string, Reading> }> | undefined
    const begin = async () => {
      const at = ledger.clock.now()
      return { at, readings: await readTogether(ledger, ids) }
    }
    return rows.map((row) => ({
      row,
      read: async () => {
        const { at, readings } = await (together ??= begin())
        const isFresh = elapsed(at, ledger.clock.now()) <= ledger.rules.freshFor
        const reading = isFresh ? readings.get(row.paymentId) : undefined
        return reading ?? readPayment(ledger, row.paymentId)
      },
    }))
  }

  async #claim(bulkId: string, most: number): Promise<void> {
    const { clock, rules, memory } = this.#ledger
    // Where the service honours no filter by id, one walk of the list serves many.
    const isShared = memory.idFilter === 'fails'
    const lease = isShared ? sharedWalk + readingLives : rules.lease
    const began = clock.now()
    const rows = await claimRows(this.#ledger, bulkId, isShared ? sharedRows : most, lease)
    this.#staleAt = after(began, lease * 0.8)
    if (rows.length === 0) return
    const ids = rows.map(({ paymentId }) => paymentId)
    if (!isShared) {
      this.#claimed = this.#readByFilter(rows, ids)
      return
    }
    const until = after(began, sharedWalk)
    const readings = await walkForMany(this.#ledger, ids, { pages: sharedPages, paced: false, until })
    this.#claimed = rows.map((row) => ({
      row,
      read: () => {
        const isOld = elapsed(began, clock.now()) > readingLives
        const reading = isOld ? undefined : readings.get(row.paymentId)
        return Promise.resolve(reading ?? { kind: 'unreadable', why: 'out-of-time' })
      },
    }))
  }
}
