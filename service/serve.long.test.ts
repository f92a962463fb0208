import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { within } from '@/lib/database/testing/within'

const token = 'a-token-for-the-process'
let folder: string
const started: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-'))
})
afterEach(async () => {
  for (const child of started.splice(0)) if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
})

function start(environment: Record<string, string>): {
  child: ChildProcess
  output: () => string
  ready: Promise<string>
  ended: Promise<number | null>
} {
  const child = spawn(process.execPath, ['scripts/run-program.mjs', 'service/serve.ts'], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      DATA_DIR: folder,
      SEED_PAYMENTS: '10',
      SERVICE_TOKEN: token,
      ...environment,
    },
  })
  started.push(child)
  let text = ''
  const ended = once(child, 'exit').then(() => child.exitCode)
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const url = /^service ready on (\S+)$/mu.exec(text)?.[1]
        if (url) resolve(url)
      })
    }
    void ended.then(() => reject(new Error(`It ended: ${text}`)))
  })
  ready.catch(() => undefined)
  return {
    child,
    output: () => text,
    get ready() {
      return within(90_000, 'the service to be ready', ready)
    },
    get ended() {
      return within(90_000, 'the service to end', ended)
    },
  }
}

const call = (
  url: string,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) => fetch(`${url}${path}`, { ...init, headers: { authorization: `Basic ${btoa(`${token}:`)}`, ...init.headers } })

test('says where it is, logs writes to requests.log, and ends cleanly on SIGTERM', async () => {
  const service = start({ SERVICE_PORT: String(await findFreePort()) })
  const url = await service.ready
  expect((await call(url, '/Payments')).status).toBe(200)
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
    body: '{"name":"Ann"}',
  }
  expect((await call(url, '/Customers', sent)).status).toBe(201)
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(service.output()).toBe(`service ready on ${url}\n`)
  const log = await readFile(join(folder, 'service', 'requests.log'), 'utf8')
  expect(JSON.parse(log)).toMatchObject({
    method: 'POST',
    path: '/Customers',
    status: 201,
    idempotencyKey: 'k-1',
    outcome: 'created',
  })
  expect(log).not.toContain('Ann')
})

/** For tests that are not about the first start, which takes seconds. */
const prepare = () => copyMigratedFolder(join(folder, 'service'), join(process.cwd(), 'service/store/migrations'))

test('keeps what was acknowledged when it is killed', async () => {
  await prepare()
  const first = start({ SERVICE_PORT: String(await findFreePort()), SERVICE_CANCEL_DELAY: '200' })
  const url = await first.ready
  const list: unknown = await (await call(url, "/Payments?limit=1&filter=status eq 'Pending'")).json()
  const id = /"id":"([\da-f-]{36})"/u.exec(JSON.stringify(list))?.[1] ?? ''
  const sent = { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '{"text":"Asked by phone"}' }
  expect((await call(url, `/Payments/${id}`, sent)).status).toBe(202)
  first.child.kill('SIGKILL')
  await first.ended
  const second = start({ SERVICE_PORT: String(await findFreePort()) })
  const again = await second.ready
  await expect
    .poll(async () => (await call(again, `/Payments?filter=id eq '${id}'`)).text(), { timeout: 45_000 })
    .toContain('"status":"Cancelled"')
})

test('a first filling that is stopped ends cleanly, and the next start fills again', async () => {
  const first = start({ SERVICE_PORT: String(await findFreePort()), SEED_PAYMENTS: '100000' })
  const state = join(folder, 'service', 'debitdesk.database')
  await expect.poll(() => readFile(state, 'utf8').catch(() => ''), { timeout: 60_000 }).toBe('made\n')
  first.child.kill('SIGTERM')
  expect([await first.ended, first.output()]).toEqual([0, ''])
  const second = start({ SERVICE_PORT: String(await findFreePort()) })
  const list: unknown = await (await call(await second.ready, '/Payments?limit=100')).json()
  expect(JSON.stringify(list).match(/"reference"/gu)).toHaveLength(10)
})

test('a second process on the same folder is refused with the pid of the first', async () => {
  await prepare()
  const first = start({ SERVICE_PORT: String(await findFreePort()) })
  const url = await first.ready
  const second = start({ SERVICE_PORT: String(await findFreePort()) })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(String(first.child.pid))
  expect(second.output().trimEnd().split('\n')).toHaveLength(1)
  expect((await call(url, '/Payments')).status).toBe(200)
})

test('a port in use is told in one line', async () => {
  await prepare()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const service = start({ SERVICE_PORT: String(port) })
  expect(await service.ended).toBe(1)
  expect(service.output()).toBe(`SERVICE_PORT ${port} is in use by another process.\n`)
  server.close()
})

test.each([
  [{ SERVICE_TOKEN: '' }, 'SERVICE_TOKEN is needed'],
  [{ SERVICE_TOKEN: 'short' }, 'SERVICE_TOKEN must have at least 16 characters'],
  [{ SERVICE_PORT: 'abc' }, 'SERVICE_PORT must be a number'],
  [{ SEED_PAYMENTS: '-1' }, 'SEED_PAYMENTS'],
  [{ SERVICE_CALLBACKS: '*:3000' }, 'must be host:port pairs without wildcards'],
  [{ SERVICE_DATABASE_URL: 'mysql://x' }, 'SERVICE_DATABASE_URL must be a postgres:// address'],
])('a wrong setting is told in one line: %j', async (environment, message) => {
  const service = start({ SERVICE_PORT: String(await findFreePort()), ...environment })
  expect(await service.ended).toBe(1)
  expect(service.output()).toContain(message)
  expect(service.output().trimEnd().split('\n')).toHaveLength(1)
})
