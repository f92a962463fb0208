import type { PostgresProxy } from '@/lib/database/testing/postgres-proxy'
import type { NemesisProcess, Place } from './nemesis-desks'
import type { PaymentLedgerService } from '../payment-ledger-service'

/** The most critical steps for a pause: something is committed, and its consequences are pending. */
const pauseSteps = ['after-intent', 'after-sending', 'after-sending', 'after-reply', 'before-resend'] as const
const temporaryStatuses = [400, 403, 404, 422, 429, 503] as const
const filters = ['ignored', 'rejected'] as const

/** Random faults other than kills; each ends by itself within seconds. */
export class NemesisFaults {
  readonly counts = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(
    readonly service: PaymentLedgerService,
    readonly random: () => number,
    /** A lease in milliseconds, which some pauses exceed, and how to make desks forget capabilities, as after an hour. */
    readonly options: { lease: number; forgetCapabilities: () => void },
  ) {}

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  #later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, milliseconds)
    this.#timers.add(timer)
  }

  #between(min: number, max: number): number {
    return min + this.random() * (max - min)
  }

  #pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.random() * items.length)] ?? items[0]
  }

  /** Pauses a desk that is running or has stopped itself; a third of the pauses exceed a lease. */
  pause(life: NemesisProcess): void {
    const isLong = this.random() < 0.35
    this.#count(isLong ? 'pauses longer than a lease' : 'short pauses')
    life.pause(
      isLong
        ? this.#between(this.options.lease * 1.1, this.options.lease * 2)
        : this.#between(100, this.options.lease * 0.8),
    )
  }

  #disturbDesk(life: NemesisProcess): void {
    const chance = this.random()
    if (chance < 0.15) this.pause(life)
    else if (chance < 0.4)
      life.order({ kind: 'halt', halt: { step: this.#pick(pauseSteps), time: 1, signal: 'SIGSTOP' } })
    else if (chance < 0.5) {
      this.#count('clocks set')
      life.order({ kind: 'jump', milliseconds: this.#between(-1_800_000, 1_800_000) })
    }
  }

  #disturbStore(proxy: PostgresProxy): void {
    const chance = this.random()
    if (chance < 0.12) {
      this.#count('stores frozen')
      proxy.freeze()
      this.#later(this.#between(200, 5_000), () => proxy.pass())
    } else if (chance < 0.24) {
      this.#count('connections broken')
      this.#later(this.#between(0, 1_500), () => proxy.reset())
    } else if (chance < 0.32) {
      this.#count('stores slow')
      proxy.delay(this.#between(20, 150))
      this.#later(2_000, () => proxy.pass())
    } else if (chance < 0.5) {
      const after = this.random() < 0.5 ? ('reset' as const) : ('silence' as const)
      void proxy
        .loseNextCommit({ isDelivered: this.random() < 0.6, after })
        .then(() => this.#count('COMMITs without an answer'))
    }
  }

  #disturbLists(): void {
    const { lists } = this.service
    const chance = this.random()
    if (chance < 0.3) {
      this.#count('lists refused in passing')
      const status = this.#pick(temporaryStatuses)
      const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {}
      const filteredOnly = this.random() < 0.5
      lists.answer = ({ path }) =>
        (!filteredOnly || path.includes('filter=')) && this.random() < 0.4 ? { status, headers, body: '' } : null
      this.#later(1_500, () => {
        lists.answer = () => null
        this.options.forgetCapabilities()
      })
    } else if (chance < 0.4) {
      this.#count('filters not honoured')
      lists.filter = this.#pick(filters)
      this.#later(4_000, () => {
        lists.filter = 'honoured'
        this.options.forgetCapabilities()
      })
    }
  }

  disturb(places: readonly Place[]): void {
    for (const { life, proxy } of places) {
      if (life) this.#disturbDesk(life)
      if (proxy) this.#disturbStore(proxy)
    }
    this.#disturbLists()
  }

  /** Ends all faults at once. */
  end(places: readonly Place[]): void {
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { life, proxy } of places) {
      life?.order({ kind: 'halt', halt: null })
      life?.wake()
      proxy?.takeLostCommit()
      proxy?.pass()
    }
    this.service.mend()
  }
}
