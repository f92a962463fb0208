import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Step } from '../../cancellations/ledger'
import type { BulkLife, BulkMessage } from './bulk-process'
import { type PaymentLedgerService, startPaymentLedgerService } from '../payment-ledger-service'

type Done = Extract<BulkMessage, { kind: 'done' }>

/** The final state: as reported by the desk, and as logged by the service. */
export type BulkVerdict = Done & {
  /** Every reported `settled`, over all processes. */
  progress: number[]
  count: number
  service: PaymentLedgerService
  kills: number
}

const script = 'lib/server/testing/crash/bulk-process.ts'
const reading = {
  graceMs: 250,
  pollIntervalMs: 100,
  listIntervalMs: 1,
  reviewAfterMs: 30_000,
  reviewDeadlineMs: 31_000,
}
const rules = { ...reading, sendTimeoutMs: 3_000, leaseMs: 5_000 }
const steps: readonly Step[] = ['after-sending', 'after-reply', 'after-outcome', 'during-read', 'during-recovery']

/** How a process ends: at a step, or after this many more payments were settled. */
type Death = { die: BulkLife['die'] } | { after: number }

function chooseDeath(kill: number, size: number): Death {
  // Some intents are written, but the bulk is not running yet.
  if (kill === 0) return { die: { step: 'before-part-of-start', time: 2 } }
  if (kill % 2 === 1) return { after: Math.ceil((size / 25) * ((kill % 5) + 1) * 0.5) }
  const step = steps[(kill / 2 - 1) % steps.length] ?? 'after-reply'
  return { die: { step, time: step === 'during-recovery' ? 1 : 3 + kill } }
}

function runLife(life: BulkLife, death: Death | null, onWord: (word: BulkMessage) => void): Promise<boolean> {
  const die = death && 'die' in death ? death.die : undefined
  const child = spawn(process.execPath, ['scripts/run-program.mjs', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  // Thousands of ids exceed the limit of an argument.
  child.stdin.on('error', () => undefined).end(JSON.stringify({ ...life, ...(die && { die }) }))
  let begin: number | null = null
  createInterface({ input: child.stdout }).on('line', (line) => {
    const word: BulkMessage = JSON.parse(line)
    onWord(word)
    if (word.kind !== 'progress') return
    begin ??= word.settled
    if (death && 'after' in death && word.settled - begin >= death.after) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(false)
      else if (code === 0) resolve(true)
      else reject(new Error(`the desk's process ended with ${signal ?? code}`))
    })
  })
}

/**
 * Carries out a bulk of `size` payments in a process that is killed with SIGKILL and restarted up to `kills` times, at
 * steps and in between; the service runs here, and its log is the reference.
 */
export async function crashBulk({ size, kills }: { size: number; kills: number }): Promise<BulkVerdict> {
  const service = await startPaymentLedgerService()
  const folder = await mkdtemp(join(tmpdir(), 'bulk-'))
  const ids = Array.from({ length: size }, () => service.add().id)
  // Unrelated payments, which must stay unchanged.
  for (let index = 0; index < 20; index += 1) service.add()
  const life: BulkLife = { folder, url: service.url, rules, ids }
  const progress: number[] = []
  let count = 0
  const told: Done[] = []
  const hear = (word: BulkMessage) => {
    if (word.kind === 'done') told.push(word)
    else {
      progress.push(word.settled)
      count = word.count
    }
  }
  let killed = 0
  try {
    for (let kill = 0; kill < kills && told.length === 0; kill += 1)
      if (!(await runLife(life, chooseDeath(kill, size), hear))) killed += 1
    if (told.length === 0) await runLife(life, null, hear)
    const [done] = told
    if (!done) throw new Error('it did not say how things stand')
    return { ...done, progress, count, service, kills: killed }
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Checks what must hold of a bulk however often it was killed; returns the violations. A payment whose request was
 * interrupted twice before it was sent is not sent a third time: it is left to a person and must be unchanged.
 */
export function findFaults({ rows, chain, progress, count, service }: BulkVerdict, size: number): string[] {
  const faults: string[] = []
  const effective = new Map<string, number>()
  for (const entry of service.deletes)
    if (entry.effective) effective.set(entry.paymentId, (effective.get(entry.paymentId) ?? 0) + 1)
  const cancelled = rows.filter(({ state }) => state === 'cancelled')
  const left = rows.filter(({ state }) => state === 'needs-person')
  if (rows.length !== size) faults.push(`${rows.length} intents for ${size} payments`)
  if (new Set(rows.map(({ paymentId }) => paymentId)).size !== rows.length) faults.push('a payment has two intents')
  if (rows.some(({ isClosed }) => !isClosed)) faults.push('an intent is open')
  if ([...effective.values()].some((times) => times !== 1)) faults.push('a payment was cancelled twice')
  if (service.deletes.some(({ paymentId }) => !rows.some((row) => row.paymentId === paymentId)))
    faults.push('a payment was asked for that is no part of it')
  if (cancelled.some(({ paymentId }) => service.payments.get(paymentId)?.status !== 'Cancelled'))
    faults.push('told as cancelled and is not')
  if (left.some(({ paymentId }) => effective.has(paymentId))) faults.push('left to a person and is cancelled')
  // Those that were being sent at two of the kills.
  if (left.length > 8) faults.push(`${left.length} are left to a person`)
  if (cancelled.length + left.length !== size) faults.push(`${cancelled.length} of ${size} are told as cancelled`)
  if (!chain) faults.push('the activity log is broken')
  if (count !== size || progress.some((value) => value > size)) faults.push('progress goes beyond the whole')
  if (progress.some((value, index) => value < (progress[index - 1] ?? 0))) faults.push('progress went back')
  return faults
}
