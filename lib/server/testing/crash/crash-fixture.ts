import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Step } from '../../cancellations/ledger'
import { askFor } from '../ledger-fixture'
import {
  type DeleteSwitch,
  type LoggedDelete,
  type PaymentLedgerService,
  startPaymentLedgerService,
} from '../payment-ledger-service'
import type { LedgerLife, LedgerCommand, LedgerMessage } from './ledger-process'

/** A scenario: how the ledger's process is killed, and the expected result after the next one. */
export type CrashCase = {
  name: string
  /** It kills itself the `time`-th time it reaches this step; otherwise the service kills it, see `killed`. */
  step?: Step
  time?: number
  /** The service kills it when the DELETE has arrived, before or after its effect. */
  killed?: 'before-effect' | 'after-effect'
  /** The service's reply to the first DELETE; a sound service by default. */
  first?: DeleteSwitch
  /** How often it is killed again during recovery. */
  recovering?: number
  /** A change of the payment while no process runs. */
  meanwhile?: { status: string } | { amount: number }
  /** Whether the same request is submitted again afterwards. */
  askAgain?: boolean
  /** Expected final state and reason; null for no cancellation at all. */
  end: readonly [state: string, reason: string | null] | null
  /** Maximum number of DELETEs the service may receive. */
  most: number
}

const settled = { status: 'Settled' }
const cancelled = ['cancelled', null] as const
const tooLate = ['not-cancelled', 'too-late'] as const
const silent: DeleteSwitch = { effect: false, answer: { hang: true } }
const broken: DeleteSwitch = { effect: false, answer: { status: 500, headers: {}, body: '' } }
const refused: DeleteSwitch = { effect: false, answer: { status: 403, headers: {}, body: '' } }
const lost: DeleteSwitch = { effect: false }
const done = (answer: DeleteSwitch) => ({ ...answer, effect: true })

/** At least three cases for each of the failpoints F1 to F9: between any two steps, with every possible effect at the service. */
export const crashCases: Record<string, readonly CrashCase[]> = {
  'F1 before the intent is committed': [
    { name: 'nothing was asked', step: 'before-intent', end: null, most: 0 },
    { name: 'asked again under the same key', step: 'before-intent', askAgain: true, end: cancelled, most: 1 },
    { name: 'settled, asked again', step: 'before-intent', meanwhile: settled, askAgain: true, end: tooLate, most: 0 },
  ],
  'F2 after the intent is committed': [
    { name: 'nothing else', step: 'after-intent', end: cancelled, most: 1 },
    { name: 'settled meanwhile', step: 'after-intent', meanwhile: settled, end: tooLate, most: 0 },
    {
      name: 'another amount meanwhile',
      step: 'after-intent',
      meanwhile: { amount: 999_999 },
      end: ['not-cancelled', 'changed'],
      most: 0,
    },
  ],
  'F3 after "sending" is committed, before anything is written': [
    { name: 'nothing else', step: 'after-sending', end: cancelled, most: 1 },
    { name: 'settled meanwhile', step: 'after-sending', meanwhile: settled, end: tooLate, most: 0 },
    { name: 'asked again under the same key', step: 'after-sending', askAgain: true, end: cancelled, most: 1 },
  ],
  'F4 after the request is written': [
    { name: 'it takes effect', killed: 'before-effect', end: cancelled, most: 1 },
    { name: 'it took effect', killed: 'after-effect', first: done(silent), end: cancelled, most: 1 },
    { name: 'it is lost', killed: 'before-effect', first: lost, end: cancelled, most: 2 },
    {
      name: 'it is lost, settled meanwhile',
      killed: 'before-effect',
      first: lost,
      meanwhile: settled,
      end: tooLate,
      most: 1,
    },
  ],
  'F5 after the reply, before the outcome is committed': [
    { name: '202', step: 'after-reply', end: cancelled, most: 1 },
    { name: '500 without effect', step: 'after-reply', first: broken, end: cancelled, most: 2 },
    { name: '500 with effect', step: 'after-reply', first: done(broken), end: cancelled, most: 1 },
    { name: '403', step: 'after-reply', first: refused, end: cancelled, most: 2 },
  ],
  'F6 after the outcome is committed, before the answer': [
    { name: '202', step: 'after-outcome', end: cancelled, most: 1 },
    { name: '403', step: 'after-outcome', first: refused, end: ['not-cancelled', 'refused'], most: 1 },
    { name: 'a timeout without effect', step: 'after-outcome', first: silent, end: cancelled, most: 2 },
    { name: 'a timeout with effect', step: 'after-outcome', first: done(silent), end: cancelled, most: 1 },
  ],
  'F7 while the payment is read': [
    { name: 'before it is sent', step: 'during-read', time: 1, end: cancelled, most: 1 },
    { name: 'after 202', step: 'during-read', time: 2, end: cancelled, most: 1 },
    { name: 'after a timeout, the second time', step: 'during-read', time: 3, first: silent, end: cancelled, most: 2 },
  ],
  'F8 between the reads and the second request': [
    { name: 'after a timeout', step: 'before-resend', first: silent, end: cancelled, most: 2 },
    { name: 'after 500', step: 'before-resend', first: broken, end: cancelled, most: 2 },
    { name: 'settled meanwhile', step: 'before-resend', first: broken, meanwhile: settled, end: tooLate, most: 1 },
  ],
  'F9 while it recovers': [
    { name: 'an intent never sent', step: 'after-intent', recovering: 2, end: cancelled, most: 1 },
    { name: 'a request never written', step: 'after-sending', recovering: 1, end: cancelled, most: 1 },
    { name: 'a request that took effect', step: 'after-reply', recovering: 1, end: cancelled, most: 1 },
  ],
}

type SettledWord = Extract<LedgerMessage, { kind: 'settled' }>

/** The final state of a payment: as reported by the desk, and as logged by the service. */
export type Verdict = {
  rows: SettledWord['rows']
  /** Whether the activity log's chain is valid. */
  chain: boolean
  deletes: LoggedDelete[]
  isCancelled: boolean
}

const script = 'lib/server/testing/crash/ledger-process.ts'
const rules = { graceMs: 250, pollIntervalMs: 30, sendTimeoutMs: 1_000, guardTimeoutMs: 10_000, reviewAfterMs: 60_000 }

/** A process of the ledger; `ended` resolves when it was killed, and rejects when it exited in another way. */
type Life = { process: ChildProcess; ended: Promise<null>; hear: () => Promise<SettledWord> }

function startLife(life: LedgerLife): Life {
  const child = spawn(process.execPath, ['scripts/run-program.mjs', script, JSON.stringify(life)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const words: SettledWord[] = []
  let tell: () => void = () => undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    const word: LedgerMessage = JSON.parse(line)
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
  // It may be killed during a write.
  child.stdin.on('error', () => undefined)
  return { process: child, ended, hear }
}

/**
 * Runs the ledger in a process, on a store in a folder, that is killed with SIGKILL and restarted; the service runs here,
 * and its log is the reference. The process that recovered one case is killed in the next.
 */
export class CrashFixture {
  #life: Life | null = null

  private constructor(
    readonly service: PaymentLedgerService,
    readonly folder: string,
  ) {}

  static async start(): Promise<CrashFixture> {
    return new CrashFixture(await startPaymentLedgerService(), await mkdtemp(join(tmpdir(), 'ledger-')))
  }

  async close(): Promise<void> {
    this.#life?.process.kill('SIGKILL')
    await this.#life?.ended
    await this.service.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The state once the process has settled everything, or null if it was killed before. */
  async #awaitResult(life: Life): Promise<SettledWord | null> {
    const word = await Promise.race([life.hear(), life.ended])
    this.#life = word && life
    return word
  }

  /** Starts a process, which recovers what was left open. */
  #start(die?: LedgerLife['die']): Promise<SettledWord | null> {
    this.#life = startLife({ folder: this.folder, url: this.service.url, rules, ...(die && { die }) })
    return this.#awaitResult(this.#life)
  }

  /** Sends a request to the running process, or to a new one. */
  async #request(order: LedgerCommand): Promise<SettledWord | null> {
    if (!this.#life) await this.#start()
    if (!this.#life) throw new Error('it died by itself')
    this.#life.process.stdin?.write(`${JSON.stringify(order)}\n`)
    return this.#awaitResult(this.#life)
  }

  /** Runs a case with its own payment. Throws when the process doesn't die as expected. */
  async run({ step, time = 1, killed, first, recovering = 0, meanwhile, askAgain }: CrashCase): Promise<Verdict> {
    const { service } = this
    service.mend()
    const payment = service.add()
    const request = askFor(payment)
    const kill = () => this.#life?.process.kill('SIGKILL')
    const hook = killed && { [killed === 'before-effect' ? 'before' : 'after']: kill }
    service.next(payment, { ...first, ...hook })
    const lived = [await this.#request({ request, ...(step && { die: { step, time } }) })]
    if (meanwhile) service.change(payment.id, meanwhile)
    for (let each = 0; each < recovering; each += 1) lived.push(await this.#start({ step: 'during-recovery', time: 1 }))
    const [word] = lived.filter((each) => each !== null)
    if (word) throw new Error(`it was to be killed and lived: ${JSON.stringify(word)}`)
    const recovered = await this.#start()
    const settled = askAgain ? await this.#request({ request }) : recovered
    if (!recovered || !settled) throw new Error('it did not say how things stand')
    return {
      rows: settled.rows.filter(({ paymentId }) => paymentId === payment.id),
      chain: settled.chain,
      deletes: service.deletes.filter(({ paymentId }) => paymentId === payment.id),
      isCancelled: service.payments.get(payment.id)?.status === 'Cancelled',
    }
  }
}
