import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../start-service'
import { startPostgres } from '@/lib/database/testing/start-postgres'

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

test('two services started at once on an empty database migrate and fill it once, and share it', async () => {
  expect(await query('show server_version_num')).toEqual([{ server_version_num: expect.stringMatching(/^15/u) }])
  const databaseUrl = await makeDatabase('shared')
  const options = {
    port: 0,
    token,
    secret: 'one for both of the processes',
    seedPayments: 30,
    databaseUrl,
    cancelDelay: 50,
  }
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

test('a server that crashes under writes costs no acknowledged one, and no answer but 503', async () => {
  const databaseUrl = await makeDatabase('crashed')
  const service = await startService({ port: 0, token, seedPayments: 5, databaseUrl })
  const headers = { authorization: `Basic ${btoa(`${token}:`)}`, 'content-type': 'application/json' }
  const create = async (name: string) => {
    const sent = { method: 'POST', headers: { ...headers, 'idempotency-key': name }, body: JSON.stringify({ name }) }
    return (await fetch(`${service.url}/Customers`, sent)).status
  }
  const names = Array.from({ length: 60 }, (_, index) => `customer-${index}`)
  const statuses = new Map<string, number>()
  const writing = (async () => {
    for (const name of names) {
      statuses.set(name, await create(name))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  await expect.poll(() => statuses.size, { timeout: 60_000 }).toBeGreaterThan(10)
  const [backend] = await query("select pid from pg_stat_activity where datname = 'crashed' limit 1")
  process.kill(Number(Object(backend).pid), 'SIGKILL')
  await writing
  expect([...new Set(statuses.values())].filter((status) => status !== 201 && status !== 503)).toEqual([])
  // Repeats the writes with the same keys: completed ones are not done twice, the others are done now.
  for (const name of names) await expect.poll(() => create(name), { timeout: 60_000 }).toBeLessThan(300)
  const reply = await fetch(
    `${service.url}/Customers?limit=100&filter=${encodeURIComponent("contains(name,'customer-')")}`,
    { headers },
  )
  expect((await reply.text()).match(/"name":"customer-\d+"/gu)?.toSorted()).toEqual(
    names.map((name) => `"name":"${name}"`).toSorted(),
  )
  await service.close()
})
