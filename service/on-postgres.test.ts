import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from './start-service'
import { startPostgres } from './testing/start-postgres'

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const token = 'a-token-of-the-test-merchant'

async function query(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

async function makeDatabase(name: string): Promise<string> {
  await query(`create database ${name}`)
  return postgres.url.replace(/\/postgres$/u, `/${name}`)
}

test('every test of the service holds on Postgres 15 as well', { timeout: 600_000 }, async () => {
  expect(await query('show server_version_num')).toEqual([{ server_version_num: expect.stringMatching(/^15/u) }])
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'service', '--exclude', '**/{on-postgres,serve,crash}.test.ts'],
    {
      env: { ...process.env, SERVICE_TEST_DATABASE_URL: postgres.url },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  expect({ code: child.exitCode, output: child.exitCode === 0 ? '' : output.slice(-5_000) }).toEqual({
    code: 0,
    output: '',
  })
})

test('two services started at once on an empty database migrate and fill it once, and share it', async () => {
  const databaseUrl = await makeDatabase('shared')
  const options = { port: 0, token, seedPayments: 30, databaseUrl, cancelDelay: 50 }
  const services = await Promise.all([startService(options), startService(options)])
  const headers = { authorization: `Basic ${btoa(`${token}:`)}`, 'content-type': 'application/json' }
  const bodies = await Promise.all(
    services.map(async ({ url }) => (await fetch(`${url}/Payments?limit=100`, { headers })).text()),
  )
  expect(bodies[0]?.match(/"reference"/gu)).toHaveLength(30)
  const ids = bodies.map((body) => body.match(/"id":"[\da-f-]+","paymentDate"/gu))
  expect(ids[0]).toEqual(ids[1])
  const pending = /"id":"([\da-f-]{36})","paymentDate"[^{}]*"status":"Pending"/u.exec(bodies[0] ?? '')?.[1] ?? ''
  const cancel = (url: string) =>
    fetch(`${url}/Payments/${pending}`, { method: 'DELETE', headers, body: '{"text":"Twice"}' })
  const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => cancel(services[index % 2]?.url ?? '')))
  expect(new Set(replies.map(({ status }) => status)).has(500)).toBe(false)
  const effective = services.flatMap(({ requests }) => requests.filter(({ outcome }) => outcome === 'accepted'))
  expect(effective).toHaveLength(1)
  await Promise.all(services.map(({ close }) => close()))
})

test('comes back by itself after the database has ended its connections', async () => {
  const databaseUrl = await makeDatabase('restarted')
  const service = await startService({ port: 0, token, seedPayments: 5, databaseUrl })
  const read = async () =>
    (await fetch(`${service.url}/Merchants`, { headers: { authorization: `Basic ${btoa(`${token}:`)}` } })).status
  expect(await read()).toBe(200)
  await query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'restarted'")
  await expect.poll(read, { timeout: 30_000 }).toBe(200)
  await service.close()
})
