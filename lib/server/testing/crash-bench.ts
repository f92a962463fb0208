import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { CrashCase } from './crash-cases'
import { askFor } from './ledger-bench'
import type { LedgerLife, LedgerOrder, LedgerWord } from './ledger-process'
import { type JudgedDelete, type PaymentLedgerService, startPaymentLedgerService } from './payment-ledger-service'

type SettledWord = Extract<LedgerWord, { kind: 'settled' }>

/** What is known of one payment after everything: in the desk's words, and in the judge's. */
export type Verdict = {
  rows: SettledWord['rows']
  /** Whether the activity log's chain held. */
  chain: boolean
  deletes: JudgedDelete[]
  isCancelled: boolean
}

const script = 'lib/server/testing/ledger-process.ts'
const rules = { grace: 250, readEvery: 30, sendDeadline: 1_000, guardDeadline: 10_000, personAfter: 60_000 }

/** A process of the ledger; `ended` resolves when it was killed, and rejects when it ended in another way. */
type Life = { process: ChildProcess; ended: Promise<null>; hear: () => Promise<SettledWord> }

function startLife(life: LedgerLife): Life {
  const child = spawn(process.execPath, ['scripts/run-program.mjs', script, JSON.stringify(life)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const words: SettledWord[] = []
  let tell: () => void = () => undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    const word: LedgerWord = JSON.parse(line)
    if (word.kind !== 'settled') return
    words.push(word)
    tell()
  })
  const hear = async () => {
    for (;;) {
      const word = words.shift()
      if (word) return word
      await new Promise<void>((resolve) => {
        tell = resolve
      })
    }
  }
  const ended = new Promise<null>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null)
      else reject(new Error(`the ledger's process ended with ${signal ?? code}`))
    })
  })
  ended.catch(() => undefined)
  // It may be killed while it is written to.
  child.stdin.on('error', () => undefined)
  return { process: child, ended, hear }
}

/**
 * The ledger as a process of its own, on a store in a folder, that is killed with SIGKILL and started again;
 * the service lives here, and its log is the judge. The life that took up what one case left open is the one that
 * the next case kills.
 */
export class CrashBench {
  #life: Life | null = null

  private constructor(
    readonly service: PaymentLedgerService,
    readonly folder: string,
  ) {}

  static async start(): Promise<CrashBench> {
    return new CrashBench(await startPaymentLedgerService(), await mkdtemp(join(tmpdir(), 'ledger-')))
  }

  async close(): Promise<void> {
    this.#life?.process.kill('SIGKILL')
    await this.#life?.ended
    await this.service.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** How things stand once the process has settled everything, or null when it was killed before. */
  async #hear(life: Life): Promise<SettledWord | null> {
    const word = await Promise.race([life.hear(), life.ended])
    this.#life = word && life
    return word
  }

  /** Starts a process, which takes up what was left open. */
  #start(die?: LedgerLife['die']): Promise<SettledWord | null> {
    this.#life = startLife({ folder: this.folder, url: this.service.url, rules, ...(die && { die }) })
    return this.#hear(this.#life)
  }

  /** Asks the process that lives, or a new one. */
  async #ask(order: LedgerOrder): Promise<SettledWord | null> {
    if (!this.#life) await this.#start()
    if (!this.#life) throw new Error('it died by itself')
    this.#life.process.stdin?.write(`${JSON.stringify(order)}\n`)
    return this.#hear(this.#life)
  }

  /** Plays one case for a payment of its own. Throws when the process does not die as the case says. */
  async play({ step, time = 1, killed, first, recovering = 0, meanwhile, askAgain }: CrashCase): Promise<Verdict> {
    const { service } = this
    service.mend()
    const payment = service.add()
    const request = askFor(payment)
    const kill = () => this.#life?.process.kill('SIGKILL')
    const hook = killed && { [killed === 'before-effect' ? 'before' : 'after']: kill }
    service.next(payment, { ...first, ...hook })
    const lived = [await this.#ask({ request, ...(step && { die: { step, time } }) })]
    if (meanwhile) service.change(payment.id, meanwhile)
    for (let each = 0; each < recovering; each += 1) lived.push(await this.#start({ step: 'during-recovery', time: 1 }))
    const [word] = lived.filter((each) => each !== null)
    if (word) throw new Error(`it was to be killed and lived: ${JSON.stringify(word)}`)
    const recovered = await this.#start()
    const settled = askAgain ? await this.#ask({ request }) : recovered
    if (!recovered || !settled) throw new Error('it did not say how things stand')
    return {
      rows: settled.rows.filter(({ paymentId }) => paymentId === payment.id),
      chain: settled.chain,
      deletes: service.deletes.filter(({ paymentId }) => paymentId === payment.id),
      isCancelled: service.payments.get(payment.id)?.status === 'Cancelled',
    }
  }
}
