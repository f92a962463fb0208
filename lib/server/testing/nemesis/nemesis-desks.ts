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
import type { Halt, NemesisLife, NemesisCommand, NemesisMessage } from './nemesis-desk'

/** A desk's access to the store, through its own proxy if there is a network between them. */
export type StorePath = { store: NemesisLife['store']; proxy: PostgresProxy | undefined }

/** The store of a lane: one desk's own folder, or a Postgres shared by several. */
export type NemesisStore = {
  paths: StorePath[]
  /** Makes the desks forget the capabilities of the service's lists. Never rejects. */
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

/** A desk process of the nemesis (see nemesis-desk), seen from outside. */
export class NemesisProcess {
  readonly #child: ChildProcess
  #pid: number | undefined
  #wakeTimer: NodeJS.Timeout | undefined
  /** Resolves when it is ready or has ended. */
  readonly ready: Promise<void>
  /** Resolves when it has ended and all its output has been read. */
  readonly ended: Promise<void>
  isReady = false
  isOver = false
  /** How it was killed: by itself as told, or from outside; null if it was not. */
  killed: 'halt' | 'outside' | null = null

  constructor(
    life: NemesisLife,
    onMessage: (word: NemesisMessage) => void,
    /** Whether it runs under a starter, which alone is killed from outside, so that the desk finishes its work. */
    readonly hasStarter = false,
  ) {
    const args = [...(hasStarter ? [...starter, ...desk] : desk), JSON.stringify(life)]
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdin?.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (_, signal) => {
        if (signal === 'SIGKILL') this.killed ??= 'halt'
        this.isOver = true
        clearTimeout(this.#wakeTimer)
        resolve()
      })
    })
    this.ready = new Promise((resolve) => {
      void this.ended.then(() => resolve())
      if (!this.#child.stdout) return
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const message: NemesisMessage = JSON.parse(line)
        if (message.kind === 'ready') {
          this.#pid = message.pid
          this.isReady = true
          resolve()
        }
        onMessage(message)
      })
    })
  }

  order(order: NemesisCommand): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  kill(): void {
    this.killed ??= 'outside'
    this.#child.kill('SIGKILL')
  }

  /** Kills the desk itself, with or without a starter; counts like its own halt. */
  killDesk(): void {
    this.killed ??= 'halt'
    this.#signal('SIGKILL')
  }

  /** Pauses it for a time or until `wake`, also if it is about to stop itself. */
  pause(milliseconds: number): void {
    clearTimeout(this.#wakeTimer)
    this.#signal('SIGSTOP')
    this.#wakeTimer = setTimeout(() => this.wake(), milliseconds)
  }

  /** Repeats the signal, since a desk that was about to stop itself may do so only now. */
  wake(): void {
    clearTimeout(this.#wakeTimer)
    this.#signal('SIGCONT')
    if (!this.isOver) this.#wakeTimer = setTimeout(() => this.wake(), 1_000).unref()
  }

  /** Signals the desk itself, not its starter. */
  #signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#pid === undefined || this.isOver) return
    try {
      process.kill(this.#pid, signal)
    } catch {
      // It has already ended.
    }
  }

  /** Lets it exit by itself. */
  close(): void {
    this.#child.stdin?.end()
  }
}

/** Enough for a busy machine to start or end a desk. */
const TIMEOUT_MS = 120_000
const MAX_SKEW_MS = 30 * 60_000

/** Short, so that leases and grace periods end often. */
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

/** A desk's access to the store, and its current process. */
export type Place = StorePath & { life: NemesisProcess | null }

/** The desks of a lane: one place per access to the store, each with one process after the other. */
export class NemesisDesks {
  readonly places: Place[]
  readonly violations: string[] = []
  readonly #lives: NemesisProcess[] = []
  /** Whether exits are expected from now on. */
  isEnding = false

  constructor(
    paths: readonly StorePath[],
    readonly service: string,
    readonly random: () => number,
    readonly onMessage: (word: NemesisMessage, life: NemesisProcess) => void,
  ) {
    this.places = paths.map((path) => ({ ...path, life: null }))
  }

  get areSeveral(): boolean {
    return this.places.length > 1
  }

  get living(): NemesisProcess[] {
    return this.places.flatMap(({ life }) => life ?? [])
  }

  /** Starts a process with its own clock offset and, on a shared store, sometimes under a starter. */
  start(place: Place, halt?: Halt): NemesisProcess {
    const { store, proxy } = place
    const ahead = this.areSeveral ? Math.round((this.random() * 2 - 1) * MAX_SKEW_MS) : 0
    const hasStarter = this.areSeveral && this.random() < 0.25
    proxy?.pass()
    const life = new NemesisProcess(
      { store, service: this.service, rules: nemesisRules, ahead, ...(halt && { halt }) },
      (word) => this.onMessage(word, life),
      hasStarter,
    )
    this.#lives.push(life)
    place.life = life
    void life.ended.then(() => this.#recordEnd(life))
    return life
  }

  /** An unprovoked exit is a violation, unless the desk failed to start. */
  #recordEnd(life: NemesisProcess): void {
    this.#release(life)
    if (life.killed === null && life.isReady && !this.isEnding) this.violations.push('a desk ended by itself')
  }

  #release(life: NemesisProcess): void {
    for (const place of this.places) if (place.life === life) place.life = null
  }

  /** Starts missing processes and waits until all are ready, or one is. */
  async raise(which: 'all' | 'one'): Promise<void> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; ) {
      const lives = this.places.map((place) => place.life ?? this.start(place))
      const ready = lives.map((life) => life.ready)
      const enough: Promise<unknown> = which === 'all' ? Promise.all(ready) : Promise.race(ready)
      await within(TIMEOUT_MS, 'the desks to be ready', enough)
      const up = lives.filter(({ isReady, isOver }) => isReady && !isOver).length
      if (which === 'all' ? up === lives.length : up > 0) return
    }
    throw new Error('the desks do not start')
  }

  /** Kills a process, or its starter; its place is then free, although the desk may still be running. */
  kill(life: NemesisProcess): void {
    this.#release(life)
    life.kill()
  }

  /** Waits until one of the processes has ended; false after a timeout. */
  async awaitDeath(lives: readonly NemesisProcess[], milliseconds: number): Promise<boolean> {
    const timeout = new AbortController()
    const ended = Promise.race(lives.map((life) => life.ended.then(() => true)))
    const passed = wait(milliseconds, false, { signal: timeout.signal }).catch(() => false)
    const died = await Promise.race([ended, passed])
    timeout.abort()
    return died
  }

  /** Ends the remaining processes and waits for all that ever ran. One that doesn't end is a violation. */
  async end(): Promise<void> {
    for (const life of this.living) life.close()
    const ended = Promise.all(this.#lives.map((life) => life.ended))
    await within(TIMEOUT_MS, 'the desks to end', ended).catch(() => this.violations.push('a desk does not end'))
    for (const life of this.#lives) if (!life.isOver) life.killDesk()
  }
}
