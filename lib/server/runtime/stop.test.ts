import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { within } from '@/lib/database/testing/within'
import { storeMigrations } from '../store/store'
import { cancellations } from '../store/schema'
import { askFor } from '../testing/ledger-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '../testing/payment-ledger-service'

let service: PaymentLedgerService
let folder: string
let desk: ChildProcess | undefined

beforeAll(async () => {
  service = await startPaymentLedgerService()
})
beforeEach(async () => {
  service.mend()
  folder = await mkdtemp(join(tmpdir(), 'stop-'))
  await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
})
afterEach(async () => {
  desk?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => service.close())

const script = 'lib/server/testing/processes/stop-process.ts'

/** Starts a desk with this much time to finish its work; returns its address and how it ends. */
async function startDesk(patience: number): Promise<{ url: string; process: ChildProcess; ended: Promise<unknown[]> }> {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_OPTIONS: process.env.NODE_OPTIONS,
    NODE_ENV: 'test' as const,
    DATA_DIR: folder,
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
    UPSTREAM_URL: service.url,
    UPSTREAM_AUTH: 'none',
    DESK_ADMIN_EMAIL: 'ann@example.com',
    DESK_ADMIN_PASSWORD: 'moss-covered lantern',
  }
  desk = spawn(process.execPath, ['scripts/run-program.mjs', script, String(patience)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = within(100_000, 'the desk to end', once(desk, 'close'))
  const [port]: unknown[] = desk.stdout ? await within(100_000, 'the desk to start', once(desk.stdout, 'data')) : []
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: desk, ended }
}

async function readStates(): Promise<string[]> {
  const store = await openDatabase({ folder: join(folder, 'desk'), migrationsFolder: storeMigrations })
  const rows = await store.db.select().from(cancellations)
  await store.close()
  return rows.map(({ state, evidence }) => `${state} ${evidence.failure ?? ''}`.trim())
}

/** Requests a cancellation whose DELETE is answered with `answer`; resolves when the DELETE has arrived. */
async function beginCancelling(url: string, delay: number): Promise<{ answer: Promise<Response> }> {
  const payment = service.add()
  let arrive: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  service.next(payment, { before: () => arrive(), answer: { status: 202, headers: {}, body: '', delay } })
  const answer = fetch(url, { method: 'POST', body: JSON.stringify(askFor(payment)) })
  answer.catch(() => undefined)
  await within(100_000, 'the DELETE to arrive', arrived)
  return { answer }
}

test('asked to stop during a cancellation, it accepts nothing more, answers, and ends with 0 and without its lock', async () => {
  const { url, process, ended } = await startDesk(20_000)
  const { answer } = await beginCancelling(url, 1_000)
  process.kill('SIGTERM')
  process.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 300))
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  const response = await answer
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ outcome: 'requested' })
  expect(await ended).toEqual([0, null])
  expect(existsSync(join(folder, 'desk', 'debitdesk.lock'))).toBe(false)
  expect(await readStates()).toEqual([expect.stringMatching(/^(?:accepted|cancelled)$/u)])
})

test('whoever asked is gone: what was asked for is carried out all the same', async () => {
  const { url, process, ended } = await startDesk(20_000)
  const payment = service.add()
  const leaving = new AbortController()
  service.next(payment, { before: () => leaving.abort(), answer: { status: 202, headers: {}, body: '', delay: 500 } })
  const request = { method: 'POST', body: JSON.stringify(askFor(payment)), signal: leaving.signal }
  await expect(fetch(url, request)).rejects.toThrow('aborted')
  process.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await readStates()).toEqual([expect.stringMatching(/^(?:accepted|cancelled)$/u)])
})

test('a service that does not answer in time is not waited for: the outcome is unknown, and said so', async () => {
  const { url, process, ended } = await startDesk(500)
  const { answer } = await beginCancelling(url, 60_000)
  process.kill('SIGINT')
  await expect(answer).rejects.toThrow('fetch failed')
  expect(await ended).toEqual([0, null])
  expect(existsSync(join(folder, 'desk', 'debitdesk.lock'))).toBe(false)
  expect(await readStates()).toEqual(['unknown interrupted'])
})
