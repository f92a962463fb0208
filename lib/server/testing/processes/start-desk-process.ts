import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { within } from '@/lib/database/testing/within'
import type { DeskLife, DeskCommand, DeskMessage } from './desk-process'

const script = 'lib/server/testing/processes/desk-process.ts'
/** Enough for a busy desk to reply. */
const TIMEOUT_MS = 90_000

/** A desk's ledger in a separate process (see desk-process). */
export class DeskProcess {
  readonly #child: ChildProcess
  readonly #words: DeskMessage[] = []
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

  async #hear(): Promise<DeskMessage> {
    for (;;) {
      const word = this.#words.shift()
      if (word) return word
      const next = new Promise<void>((resolve) => {
        this.#tell = resolve
      })
      await within(TIMEOUT_MS, 'a word of the desk', next)
    }
  }

  /** Sends a command and returns the reply; one at a time. */
  async send(order: DeskCommand): Promise<DeskMessage> {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
    return this.#hear()
  }

  kill(signal: 'SIGKILL' | 'SIGCONT'): void {
    this.#child.kill(signal)
  }

  /** Lets it exit by itself. */
  async stop(): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.stdin?.end()
    await within(TIMEOUT_MS, 'the desk to end', ended)
  }
}
