import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { PostgresProxy } from '@/lib/database/testing/postgres-proxy'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { within } from '@/lib/database/testing/within'
import type { LedgerRules } from '../../cancellations/ledger'
import type { Halt, NemesisLife, NemesisOrder, NemesisWord } from './nemesis-desk'

/** How one desk comes to the store: through a proxy of its own, where there is a network between them. */
export type StorePath = { store: NemesisLife['store']; proxy: PostgresProxy | undefined }

/** The store of a lane: a folder that one desk has to itself, or a Postgres that several share. */
export type NemesisStore = {
  paths: StorePath[]
  /** Has the desks forget what the service's lists can do. Never rejects. */
  forgetCapabilities: () => Promise<void>
  close: () => Promise<void>
}

export async function openFolder(): Promise<NemesisStore> {
  const folder = await mkdtemp(join(tmpdir(), 'nemesis-'))
  return {
    paths: [{ store: { folder }, proxy: undefined }],
    forgetCapabilities: async () => undefined,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function openSharedPostgres(desks: number): Promise<NemesisStore> {
  const postgres = await startPostgres()
  const proxies = await Promise.all(Array.from({ length: desks }, () => PostgresProxy.start(postgres.url)))
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
  pool.on('error', () => undefined)
  return {
    paths: proxies.map((proxy) => ({ store: { url: proxy.url }, proxy })),
    forgetCapabilities: async () => {
      await pool.query('delete from capabilities').catch(() => undefined)
    },
    close: async () => {
      for (const proxy of proxies) await proxy.close()
      await pool.end()
      await postgres.stop()
    },
  }
}

const program = 'scripts/run-program.mjs'
const desk = [program, 'lib/server/testing/nemesis/nemesis-desk.ts']
const starter = [program, 'lib/server/testing/nemesis/nemesis-starter.ts']

/** One life of a desk of the nemesis (see nemesis-desk), from outside. */
export class NemesisProcess {
  readonly #child: ChildProcess
  #pid: number | undefined
  #waking: NodeJS.Timeout | undefined
  /** Resolves when it is ready, or over. */
  readonly ready: Promise<void>
  /** Resolves when it is over, and everything that it said is heard. */
  readonly ended: Promise<void>
  isReady = false
  isOver = false
  /** How it was ended: by its own hand where it was told to, or from outside; null while it was not. */
  killed: 'halt' | 'outside' | null = null

  constructor(
    life: NemesisLife,
    hear: (word: NemesisWord) => void,
    /** Then what is killed from outside is its starter alone: the desk finishes what it is at. */
    readonly hasStarter = false,
  ) {
    const args = [...(hasStarter ? [...starter, ...desk] : desk), JSON.stringify(life)]
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdin?.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (_, signal) => {
        if (signal === 'SIGKILL') this.killed ??= 'halt'
        this.isOver = true
        clearTimeout(this.#waking)
        resolve()
      })
    })
    this.ready = new Promise((resolve) => {
      void this.ended.then(() => resolve())
      if (!this.#child.stdout) return
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const word: NemesisWord = JSON.parse(line)
        if (word.kind === 'ready') {
          this.#pid = word.pid
          this.isReady = true
          resolve()
        }
        hear(word)
      })
    })
  }

  order(order: NemesisOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  kill(): void {
    this.killed ??= 'outside'
    this.#child.kill('SIGKILL')
  }

  /** The desk itself, whether or not it has a starter: as by its own hand. */
  killDesk(): void {
    this.killed ??= 'halt'
    this.#signal('SIGKILL')
  }

  /** Stops it for so many milliseconds, or until `wake`; one that is about to stop itself too. */
  pause(milliseconds: number): void {
    clearTimeout(this.#waking)
    this.#signal('SIGSTOP')
    this.#waking = setTimeout(() => this.wake(), milliseconds)
  }

  /** Again and again: one that was about to stop itself may come to it only now. */
  wake(): void {
    clearTimeout(this.#waking)
    this.#signal('SIGCONT')
    if (!this.isOver) this.#waking = setTimeout(() => this.wake(), 1_000).unref()
  }

  /** To the desk itself, where it has a starter. */
  #signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#pid === undefined || this.isOver) return
    try {
      process.kill(this.#pid, signal)
    } catch {
      // It has ended, which is not heard yet.
    }
  }

  /** Lets it end in peace. */
  close(): void {
    this.#child.stdin?.end()
  }
}

/** In which even a busy machine starts or ends a desk, in milliseconds. */
const limit = 120_000
const furthestApart = 30 * 60_000

/** Short, so that leases and graces end often. */
export const nemesisRules = {
  graceMs: 400,
  pollIntervalMs: 40,
  listIntervalMs: 1,
  reviewAfterMs: 60_000,
  reviewDeadlineMs: 61_000,
  sendTimeoutMs: 800,
  leaseMs: 3_000,
  guardTimeoutMs: 10_000,
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
