import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { within } from '@/lib/database/testing/within'
import { type ServiceProcess, startServiceProcess } from './service-process'
import { startReceiver } from './webhook-receiver'
import { at, items, until } from './test-service'

type Write = { key: string; method: 'POST' | 'DELETE'; path: string; body: unknown }
type Told = { status: number; type: unknown; retryAfter: string | null }

const done = new Set([201, 202, 208])

/** What every outage is to come to: answers of 503, of which nobody needs to know more than when to ask again. */
export const unharmed = {
  isRunning: true,
  firstAnswer: 200,
  refusals: [
    JSON.stringify({ status: 503, type: 'https://debitdesk.example/service/problems/unavailable', retryAfter: '5' }),
  ],
  customers: { lost: [], doubled: [] },
  cancellations: { lost: [], doubled: [] },
  callbacks: { lost: [], doubled: [] },
}

function compare(found: readonly unknown[], wanted: readonly unknown[]) {
  return {
    lost: wanted.filter((one) => !found.includes(one)),
    doubled: found.filter((one, index) => found.indexOf(one) !== index),
  }
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 30_000 })
  // A connection that breaks between two steps is told by the next.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await within(10_000, 'a connection to Postgres to end', client.end())
  }
}

/**
 * Ends one of the service's database processes as a crash of it would: the server then ends all others and starts anew by
 * itself. A lock keeps requests under way until then, so that some are certainly hit however quick the server is.
 */
async function killBackend(url: string): Promise<void> {
  const holder = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 30_000 })
  // An error comes first: nobody asked for this end.
  holder.on('error', () => undefined)
  const lost = new Promise((resolve) => holder.once('end', resolve))
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table customers in access exclusive mode')
  const pid = await until('a request that waits for the lock', async () => {
    const { rows } = await holder.query<{ pid: number }>('select pid from pg_locks where not granted')
    return rows[0]?.pid
  })
  process.kill(pid, 'SIGKILL')
  await within(60_000, 'Postgres to end its other processes', lost)
}

const ways = {
  fast: (postgres: TestPostgres) => postgres.shutDown(),
  immediate: (postgres: TestPostgres) => postgres.crash(),
  backend: ({ url }: TestPostgres) => killBackend(url),
}

type Parties = {
  postgres: TestPostgres
  receiver: Awaited<ReturnType<typeof startReceiver>>
  service: ServiceProcess
}

/** Milliseconds in which even a busy machine does what is left to do after an outage. */
const patience = 120_000

async function watchOutage({ postgres, receiver, service }: Parties, way: keyof typeof ways, downFor: number) {
  const told = new Map<string, number>()
  const seen: Told[] = []

  async function call(method: string, path: string, body?: unknown, key?: string): Promise<Told & { json: unknown }> {
    const reply = await service.call(method, path, body, key ? { 'idempotency-key': key } : {})
    const text = await reply.text()
    const json: unknown = text === '' ? null : JSON.parse(text)
    return { status: reply.status, type: at(json, 'type'), retryAfter: reply.headers.get('retry-after'), json }
  }

  async function write({ key, method, path, body }: Write): Promise<void> {
    const { json: _json, ...reply } = await call(method, path, body, key)
    seen.push(reply)
    if (done.has(reply.status)) told.set(key, reply.status)
  }

  async function listPending(): Promise<string[]> {
    const filter = encodeURIComponent("status eq 'Pending'")
    const { json } = await call('GET', `/Payments?limit=60&orderby=scheduleDate%20desc&filter=${filter}`)
    return items(json).map((row) => String(at(row, 'id')))
  }

  await call('POST', '/Merchants/webhooks/subscribe', { webhookUrl: receiver.address('/hooks') })
  const payments = await listPending()
  const writes: Write[] = Array.from({ length: 240 }, (_, index): Write => {
    const payment = payments[index >> 2]
    if (index % 4 === 0 && payment) {
      return {
        key: `cancel-${index}`,
        method: 'DELETE',
        path: `/Payments/${payment}`,
        body: { text: 'Asked by phone' },
      }
    }
    return { key: `create-${index}`, method: 'POST', path: '/Customers', body: { name: `during-${index}` } }
  })

  const over = new AbortController()
  const reading = (async () => {
    while (!over.signal.aborted) {
      const { json: _json, ...reply } = await call('GET', '/Customers?limit=1')
      seen.push(reply)
      await pause(25)
    }
  })()
  const writing = (async () => {
    // Spread over the whole outage, a few at a time.
    for (let start = 0; start < writes.length; start += 6) {
      await Promise.all(writes.slice(start, start + 6).map(write))
      await pause(50 + downFor / 50)
    }
  })()

  await until('writes before the outage', async () => (told.size > 20 ? true : undefined))
  await ways[way](postgres)
  if (way !== 'backend') {
    await pause(downFor)
    await postgres.restart()
  }
  await until('Postgres after the outage', () =>
    query(postgres.url, 'select 1').then(
      () => true,
      () => undefined,
    ),
  )
  // Once the database answers anybody, the service answers too.
  const { status: firstAnswer } = await call('GET', '/Customers?limit=1')
  await within(patience, 'the writes during the outage', writing)
  over.abort()
  await within(patience, 'the reads during the outage', reading)
  const acknowledged = told.size
  const refusals = seen.filter(({ status }) => !done.has(status) && status !== 200)

  // The same keys again: what was done is not done twice, and what was not is done now.
  for (const one of writes) await write(one)
  await service.control('POST', '/clock', { advance: 61_000 })
  const names = await query(postgres.url, "select name from customers where name like 'during-%'")
  const cancelled = payments.slice(0, 60)
  const events = () =>
    query(
      postgres.url,
      "select data->>'id' as id from events where event_type = 'cancelled' and object_type = 'payment'",
    )
  await until('the events of what was cancelled', async () =>
    (await events()).length >= cancelled.length ? true : undefined,
  )
  const arrived = () =>
    new Map(
      receiver.received
        .filter(({ body }) => body.includes('"eventType":"cancelled"'))
        .map(({ headers, body }) => [String(headers['webhook-id']), at(JSON.parse(body), 'data', 'id')]),
    )
  await until('the callbacks', async () => (arrived().size >= cancelled.length ? true : undefined), patience)
  return {
    isRunning: service.isRunning(),
    firstAnswer,
    acknowledged,
    refusals: [...new Set(refusals.map((reply) => JSON.stringify(reply)))],
    customers: compare(
      names.map(({ name }) => name),
      writes.flatMap(({ body }) => at(body, 'name') ?? []),
    ),
    cancellations: compare(
      (await events()).map(({ id }) => id),
      cancelled,
    ),
    callbacks: compare([...arrived().values()], cancelled),
  }
}

/**
 * Takes a service's Postgres away under reads, writes and deliveries for so many milliseconds, and holds what was
 * told meanwhile against what is there afterwards (ST-05).
 */
export async function surviveOutage(way: keyof typeof ways, downFor: number) {
  const opened: (() => Promise<unknown>)[] = []
  try {
    const postgres = await startPostgres()
    opened.push(postgres.stop)
    const receiver = await startReceiver()
    opened.push(receiver.close)
    const service = await startServiceProcess({
      SERVICE_DATABASE_URL: postgres.url,
      SERVICE_SECRET: 'one that outlives the test of an outage',
      SEED_PAYMENTS: '300',
      SERVICE_CALLBACKS: receiver.host,
      SERVICE_CANCEL_DELAY: '50',
    })
    opened.push(service.stop)
    return await watchOutage({ postgres, receiver, service }, way, downFor)
  } finally {
    for (const close of opened.toReversed()) await close()
  }
}
