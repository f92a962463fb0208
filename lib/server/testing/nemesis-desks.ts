import { setTimeout as wait } from 'node:timers/promises'
import { within } from '@/lib/database/testing/within'
import type { LedgerRules } from '../cancellations/ledger-rules'
import type { Halt, NemesisWord } from './nemesis-desk'
import { NemesisProcess } from './nemesis-process'
import type { StorePath } from './nemesis-store'

/** In which even a busy machine starts or ends a desk, in milliseconds. */
const limit = 120_000
const furthestApart = 30 * 60_000

/** Short, so that leases and graces end often. */
export const nemesisRules = {
  grace: 400,
  readEvery: 40,
  listEvery: 1,
  personAfter: 60_000,
  personBy: 61_000,
  sendDeadline: 800,
  lease: 3_000,
  guardDeadline: 10_000,
} satisfies Partial<LedgerRules>

/** A desk's place on the store, and the life that it has there. */
export type Place = StorePath & { life: NemesisProcess | null }

/** The desks of one lane: as many places as there are ways to its store, and one life after the other in each. */
export class NemesisDesks {
  readonly places: Place[]
  readonly violations: string[] = []
  readonly #lives: NemesisProcess[] = []
  /** From here on they end in peace. */
  isEnding = false

  constructor(
    paths: readonly StorePath[],
    readonly service: string,
    readonly random: () => number,
    readonly hear: (word: NemesisWord, life: NemesisProcess) => void,
  ) {
    this.places = paths.map((path) => ({ ...path, life: null }))
  }

  get areSeveral(): boolean {
    return this.places.length > 1
  }

  get living(): NemesisProcess[] {
    return this.places.flatMap(({ life }) => life ?? [])
  }

  /** Begins a life, its clocks apart from all others' and a starter by chance where the store is shared. */
  begin(place: Place, halt?: Halt): NemesisProcess {
    const { store, proxy } = place
    const ahead = this.areSeveral ? Math.round((this.random() * 2 - 1) * furthestApart) : 0
    const hasStarter = this.areSeveral && this.random() < 0.25
    proxy?.pass()
    const life = new NemesisProcess(
      { store, service: this.service, rules: nemesisRules, ahead, ...(halt && { halt }) },
      (word) => this.hear(word, life),
      hasStarter,
    )
    this.#lives.push(life)
    place.life = life
    void life.ended.then(() => this.#bury(life))
    return life
  }

  /** One that ends though nobody has killed it is a finding, unless it could not even begin. */
  #bury(life: NemesisProcess): void {
    this.#leave(life)
    if (life.killed === null && life.isReady && !this.isEnding) this.violations.push('a desk ended by itself')
  }

  #leave(life: NemesisProcess): void {
    for (const place of this.places) if (place.life === life) place.life = null
  }

  /** Begins those that are down, and waits for all of them, or for one. */
  async raise(which: 'all' | 'one'): Promise<void> {
    for (const end = Date.now() + limit; Date.now() < end; ) {
      const lives = this.places.map((place) => place.life ?? this.begin(place))
      const ready = lives.map((life) => life.ready)
      const enough: Promise<unknown> = which === 'all' ? Promise.all(ready) : Promise.race(ready)
      await within(limit, 'the desks to be ready', enough)
      const up = lives.filter(({ isReady, isOver }) => isReady && !isOver).length
      if (which === 'all' ? up === lives.length : up > 0) return
    }
    throw new Error('the desks do not start')
  }

  /** Kills one, or its starter; then its place is free, though the desk itself may not be over yet. */
  kill(life: NemesisProcess): void {
    this.#leave(life)
    life.kill()
  }

  /** Waits until one of these is over, at most so long. */
  async awaitDeath(lives: readonly NemesisProcess[], milliseconds: number): Promise<boolean> {
    const late = new AbortController()
    const ended = Promise.race(lives.map((life) => life.ended.then(() => true)))
    const passed = wait(milliseconds, false, { signal: late.signal }).catch(() => false)
    const died = await Promise.race([ended, passed])
    late.abort()
    return died
  }

  /** Ends those that are left in peace; resolves when all that ever lived are over. One that does not end is a finding. */
  async end(): Promise<void> {
    for (const life of this.living) life.close()
    const ended = Promise.all(this.#lives.map((life) => life.ended))
    await within(limit, 'the desks to end', ended).catch(() => this.violations.push('a desk does not end'))
    for (const life of this.#lives) if (!life.isOver) life.killDesk()
  }
}
