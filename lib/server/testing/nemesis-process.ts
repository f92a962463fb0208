import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { NemesisLife, NemesisOrder, NemesisWord } from './nemesis-desk'

const program = 'scripts/run-program.mjs'
const desk = [program, 'lib/server/testing/nemesis-desk.ts']
const starter = [program, 'lib/server/testing/nemesis-starter.ts']

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
