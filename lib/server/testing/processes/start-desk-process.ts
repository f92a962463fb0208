import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { within } from '@/lib/database/testing/within'
import type { DeskLife, DeskOrder, DeskWord } from './desk-process'

const script = 'lib/server/testing/processes/desk-process.ts'
/** Milliseconds in which even a busy desk says what it does. */
const limit = 90_000

/** A desk's ledger in a process of its own (see desk-process). */
export class DeskProcess {
  readonly #child: ChildProcess
  readonly #words: DeskWord[] = []
  #tell: () => void = () => undefined

  private constructor(life: DeskLife) {
    this.#child = spawn(process.execPath, ['scripts/run-program.mjs', script, JSON.stringify(life)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    if (!this.#child.stdout) throw new Error('there is no output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#words.push(JSON.parse(line))
      this.#tell()
    })
  }

  static async start(life: DeskLife): Promise<DeskProcess> {
    const desk = new DeskProcess(life)
    await desk.#hear()
    return desk
  }

  async #hear(): Promise<DeskWord> {
    for (;;) {
      const word = this.#words.shift()
      if (word) return word
      const next = new Promise<void>((resolve) => {
        this.#tell = resolve
      })
      await within(limit, 'a word of the desk', next)
    }
  }

  /** What a person is told who asks here; one at a time. */
  async ask(order: DeskOrder): Promise<DeskWord> {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
    return this.#hear()
  }

  kill(signal: 'SIGKILL' | 'SIGCONT'): void {
    this.#child.kill(signal)
  }

  /** Ends it in peace. */
  async stop(): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.stdin?.end()
    await within(limit, 'the desk to end', ended)
  }
}
