import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CrashCase } from './crash-cases'
import { askFor } from './ledger-bench'
import type { LedgerLife, LedgerWord } from './ledger-process'
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

const script = fileURLToPath(new URL('ledger-process.ts', import.meta.url))
const rules = { grace: 250, readEvery: 30, sendDeadline: 1_000, guardDeadline: 10_000, personAfter: 60_000 }

/**
 * The ledger as a process of its own, on a store in a folder, that is killed with SIGKILL and started again;
 * the service lives here, and its log is the judge.
 */
export class CrashBench {
  #kill: () => void = () => undefined

  private constructor(
    readonly service: PaymentLedgerService,
    readonly folder: string,
  ) {}

  static async start(): Promise<CrashBench> {
    return new CrashBench(await startPaymentLedgerService(), await mkdtemp(join(tmpdir(), 'ledger-')))
  }

  async close(): Promise<void> {
    this.#kill()
    await this.service.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Lets a process live until it is killed (null) or has done everything (what it said). */
  async #live(life: Partial<LedgerLife>): Promise<LedgerWord[] | null> {
    const config: LedgerLife = { folder: this.folder, url: this.service.url, rules, ...life }
    const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#kill = () => child.kill('SIGKILL')
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (...end) => resolve(end))
    })
    if (signal === 'SIGKILL') return null
    if (code !== 0) throw new Error(`the ledger's process ended with ${signal ?? code}`)
    return output
      .split('\n')
      .filter(Boolean)
      .map((line): LedgerWord => JSON.parse(line))
  }

  async #dieIn(life: Partial<LedgerLife>): Promise<void> {
    const words = await this.#live(life)
    if (words) throw new Error(`it was to be killed and lived: ${JSON.stringify(words.at(-1))}`)
  }

  /** Plays one case for a payment of its own. Throws when the process does not die as the case says. */
  async play({ step, time = 1, killed, first, recovering = 0, meanwhile, askAgain }: CrashCase): Promise<Verdict> {
    const { service } = this
    service.mend()
    const payment = service.add()
    const request = askFor(payment)
    const kill = () => this.#kill()
    const hook = killed && { [killed === 'before-effect' ? 'before' : 'after']: kill }
    service.next(payment, { ...first, ...hook })
    await this.#dieIn({ request, ...(step && { die: { step, time, from: 'request' } }) })
    if (meanwhile) service.change(payment.id, meanwhile)
    for (let each = 0; each < recovering; each += 1) {
      await this.#dieIn({ die: { step: 'during-recovery', time: 1, from: 'start' } })
    }
    const words = await this.#live(askAgain ? { request } : {})
    const settled = words?.findLast((word): word is SettledWord => word.kind === 'settled')
    if (!settled) throw new Error('it did not say how things stand')
    return {
      rows: settled.rows.filter(({ paymentId }) => paymentId === payment.id),
      chain: settled.chain,
      deletes: service.deletes.filter(({ paymentId }) => paymentId === payment.id),
      isCancelled: service.payments.get(payment.id)?.status === 'Cancelled',
    }
  }
}
