import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerLife, LedgerWord } from '../testing/ledger-process'
import {
  type DeleteSwitch,
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from '../testing/payment-ledger-service'

/*
 * The desk's ledger as a process of its own, on a store in a folder, killed with SIGKILL between any two
 * steps and started again. Judge is the service's own log. LEDGER_KILLS sets how many times each case is
 * run (1); there are three cases or more for each step.
 */

const script = fileURLToPath(new URL('../testing/ledger-process.ts', import.meta.url))
const rules = { grace: 250, readEvery: 30, sendDeadline: 1_000, guardDeadline: 10_000, personAfter: 30_000 }
const rounds = Number(process.env.LEDGER_KILLS ?? 1)

let service: PaymentLedgerService
let folder: string
let kill: () => void = () => undefined

beforeAll(async () => {
  service = await startPaymentLedgerService()
  folder = await mkdtemp(join(tmpdir(), 'ledger-'))
})

afterAll(async () => {
  kill()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

type Death = { signal: string | null; words: LedgerWord[] }

/** Lets the process live until it dies or has done everything. */
async function live(life: Partial<LedgerLife>): Promise<Death> {
  const config: LedgerLife = { folder, url: service.url, rules, ...life }
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  kill = () => child.kill('SIGKILL')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (...end) => resolve(end))
  })
  if (signal === null && code !== 0) throw new Error(`the ledger's process ended with ${code}`)
  const lines = output.split('\n').filter((line) => line !== '' && line.endsWith('}'))
  return { signal, words: lines.map((line): LedgerWord => JSON.parse(line)) }
}

type Case = {
  name: string
  die?: LedgerLife['die']
  /** How the service treats the DELETEs of this payment. */
  switches?: () => DeleteSwitch[]
  /** Killed once more while it recovers. */
  dieRecovering?: number
  /** What happens while nobody is there. */
  meanwhile?: (payment: ServicePayment) => void
  /** The same submission comes again afterwards. */
  askAgain?: boolean
  state: string
  reason?: string
  /** DELETEs that may have reached the service, at most. */
  most: number
}

const die = (step: NonNullable<LedgerLife['die']>['step'], time = 1) => ({ step, time, from: 'request' as const })
const silent: DeleteSwitch = { effect: false, answer: { hang: true } }
const broken: DeleteSwitch = { effect: false, answer: { status: 500, headers: {}, body: '' } }
const refused: DeleteSwitch = { effect: false, answer: { status: 403, headers: {}, body: '' } }
const settle = ({ id }: ServicePayment) => service.change(id, { status: 'Settled' })
const raise = ({ id }: ServicePayment) => service.change(id, { amount: 999_999 })
const killNow = () => kill()

const cases: Record<string, Case[]> = {
  'F1 before the intent is committed': [
    { name: 'nothing was asked', die: die('before-intent'), state: 'none', most: 0 },
    { name: 'asked again under the same key', die: die('before-intent'), askAgain: true, state: 'cancelled', most: 1 },
    {
      name: 'asked again after it settled',
      die: die('before-intent'),
      meanwhile: settle,
      askAgain: true,
      state: 'not-cancelled',
      reason: 'too-late',
      most: 0,
    },
  ],
  'F2 after the intent': [
    { name: 'sent after the restart', die: die('after-intent'), state: 'cancelled', most: 1 },
    {
      name: 'settled meanwhile',
      die: die('after-intent'),
      meanwhile: settle,
      state: 'not-cancelled',
      reason: 'too-late',
      most: 0,
    },
    {
      name: 'another amount meanwhile',
      die: die('after-intent'),
      meanwhile: raise,
      state: 'not-cancelled',
      reason: 'changed',
      most: 0,
    },
  ],
  'F3 after "sending", before anything is written': [
    { name: 'sent after the grace', die: die('after-sending'), state: 'cancelled', most: 1 },
    {
      name: 'settled meanwhile',
      die: die('after-sending'),
      meanwhile: settle,
      state: 'not-cancelled',
      reason: 'too-late',
      most: 0,
    },
    { name: 'asked again under the same key', die: die('after-sending'), askAgain: true, state: 'cancelled', most: 1 },
  ],
  'F4 after the request is written': [
    { name: 'and takes effect', switches: () => [{ before: killNow }], state: 'cancelled', most: 1 },
    { name: 'and is lost', switches: () => [{ effect: false, before: killNow }], state: 'cancelled', most: 2 },
    {
      name: 'and takes effect while the service hangs',
      switches: () => [{ after: killNow, answer: { hang: true } }],
      state: 'cancelled',
      most: 1,
    },
    {
      name: 'and is lost, settled meanwhile',
      switches: () => [{ effect: false, before: killNow }],
      meanwhile: settle,
      state: 'not-cancelled',
      reason: 'too-late',
      most: 1,
    },
  ],
  'F5 after the reply, before the outcome is committed': [
    { name: '202', die: die('after-reply'), state: 'cancelled', most: 1 },
    { name: '500 without effect', die: die('after-reply'), switches: () => [broken], state: 'cancelled', most: 2 },
    {
      name: '500 with effect',
      die: die('after-reply'),
      switches: () => [{ ...broken, effect: true }],
      state: 'cancelled',
      most: 1,
    },
    { name: '403', die: die('after-reply'), switches: () => [refused], state: 'cancelled', most: 2 },
  ],
  'F6 after the outcome, before the answer': [
    { name: '202', die: die('after-outcome'), state: 'cancelled', most: 1 },
    {
      name: '403',
      die: die('after-outcome'),
      switches: () => [refused],
      state: 'not-cancelled',
      reason: 'refused',
      most: 1,
    },
    {
      name: 'a timeout without effect',
      die: die('after-outcome'),
      switches: () => [silent],
      state: 'cancelled',
      most: 2,
    },
    {
      name: 'a timeout with effect',
      die: die('after-outcome'),
      switches: () => [{ ...silent, effect: true }],
      state: 'cancelled',
      most: 1,
    },
  ],
  'F7 while it reads': [
    { name: 'before it sends', die: die('during-read', 1), state: 'cancelled', most: 1 },
    { name: 'after 202', die: die('during-read', 2), state: 'cancelled', most: 1 },
    {
      name: 'after a timeout, the second read',
      die: die('during-read', 3),
      switches: () => [silent],
      state: 'cancelled',
      most: 2,
    },
  ],
  'F8 between the reads and the second request': [
    { name: 'after a timeout', die: die('before-resend'), switches: () => [silent], state: 'cancelled', most: 2 },
    { name: 'after 500', die: die('before-resend'), switches: () => [broken], state: 'cancelled', most: 2 },
    {
      name: 'settled meanwhile',
      die: die('before-resend'),
      switches: () => [broken],
      meanwhile: settle,
      state: 'not-cancelled',
      reason: 'too-late',
      most: 1,
    },
  ],
  'F9 while it recovers': [
    { name: 'an intent never sent', die: die('after-intent'), dieRecovering: 2, state: 'cancelled', most: 1 },
    { name: 'a request never written', die: die('after-sending'), dieRecovering: 1, state: 'cancelled', most: 1 },
    { name: 'a request that took effect', die: die('after-reply'), dieRecovering: 1, state: 'cancelled', most: 1 },
  ],
}

function ask({ id, amount, currency, status, modifiedAt }: ServicePayment) {
  return { key: randomUUID(), paymentId: id, reason: 'Ordered twice', seen: { amount, currency, status, modifiedAt } }
}

async function run({
  die: death,
  switches,
  dieRecovering = 0,
  meanwhile,
  askAgain,
  state,
  reason,
  most,
}: Case): Promise<void> {
  service.mend()
  const payment = service.add()
  const request = ask(payment)
  service.next(payment, ...(switches?.() ?? []))
  const first = await live({ request, die: death })
  expect(first, JSON.stringify(first.words.at(-1))).toMatchObject({ signal: 'SIGKILL' })
  meanwhile?.(payment)
  for (let time = 0; time < dieRecovering; time += 1) {
    const again = await live({ die: { step: 'during-recovery', time: 1, from: 'start' } })
    expect(again.signal).toBe('SIGKILL')
  }
  const { signal, words } = await live(askAgain ? { request } : {})
  expect(signal).toBeNull()
  const settled = words.findLast((word) => word.kind === 'settled')
  if (!settled) throw new Error('it did not say how things stand')
  expect(settled.chain).toBe(true)

  const rows = settled.rows.filter(({ paymentId }) => paymentId === payment.id)
  const deletes = service.deletes.filter(({ paymentId }) => paymentId === payment.id)
  expect(rows.map((row) => [row.state, row.reason])).toEqual(state === 'none' ? [] : [[state, reason ?? null]])
  // What is reported is true, by the judge's own record.
  expect(service.payments.get(payment.id)?.status === 'Cancelled').toBe(state === 'cancelled')
  expect(deletes.length).toBeLessThanOrEqual(most)
  expect(deletes.filter(({ effective }) => effective)).toHaveLength(state === 'cancelled' ? 1 : 0)
  for (const { idempotencyKey, at } of deletes) {
    const intent = rows.find(({ id }) => id === idempotencyKey)
    expect(Date.parse(intent?.createdAt ?? '')).toBeLessThanOrEqual(at)
  }
}

const withRounds = (list: Case[]) => Array.from({ length: rounds }, () => list).flat()

describe.each(Object.entries(cases))('killed %s, the truth is told after the restart:', (_, list) => {
  test.each(withRounds(list))('$name', run, 180_000)
})
