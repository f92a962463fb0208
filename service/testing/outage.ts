import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { within } from '@/lib/database/testing/within'
import { type ServiceProcess, startServiceProcess } from './service-process'
import { startReceiver } from './webhook-receiver'
import { at, items, until } from './test-service'

type Write = { key: string; method: 'POST' | 'DELETE'; path: string; body: unknown }
type ObservedReply = { status: number; type: unknown; retryAfter: string | null }

const successStatuses = new Set([201, 202, 208])

/** The expected result of every outage: nothing lost or doubled, and no refusals but 503 with Retry-After. */
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
  // The next call reports a connection that broke in between.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await within(10_000, 'a connection to Postgres to end', client.end())
  }
}

/**
 * Kills one of the service's database processes like a crash: Postgres then ends all others and restarts by itself. A
 * lock keeps requests pending until then, so that some are hit however fast Postgres is.
 */
async function killBackend(url: string): Promise<void> {
  const holder = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 30_000 })
  // An `error` event comes before `end`.
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

const outages = {
  fast: (postgres: TestPostgres) => postgres.shutDown(),
  immediate: (postgres: TestPostgres) => postgres.crash(),
  backend: ({ url }: TestPostgres) => killBackend(url),
}

type Parties = {
  postgres: TestPostgres
  receiver: Awaited<ReturnType<typeof startReceiver>>
  service: ServiceProcess
}

/** Long enough for a busy machine to finish the remaining work after an outage. */
const RECOVERY_TIMEOUT_MS = 120_000

async function watchOutage({ postgres, receiver, service }: Parties, way: keyof typeof outages, downFor: number) {
  const acknowledged = new Set<string>()
  const seen: ObservedReply[] = []

  async function call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<ObservedReply & { json: unknown }> {
    const reply = await service.call(method, path, body, key ? { 'idempotency-key': key } : {})
    const text = await reply.text()
    const json: unknown = text === '' ? null : JSON.parse(text)
    return { status: reply.status, type: at(json, 'type'), retryAfter: reply.headers.get('retry-after'), json }
  }

  async function write({ key, method, path, body }: Write): Promise<void> {
    const { json: _json, ...reply } = await call(method, path, body, key)
    seen.push(reply)
    if (successStatuses.has(reply.status)) acknowledged.add(key)
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
    // A few at a time, spread over the whole outage.
    for (let start = 0; start < writes.length; start += 6) {
      await Promise.all(writes.slice(start, start + 6).map(write))
      await pause(50 + downFor / 50)
    }
  })()

  await until('writes before the outage', async () => (acknowledged.size > 20 ? true : undefined))
  await outages[way](postgres)
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
  // Once the database answers, the service must answer too, at the latest when it said.
  const first = await call('GET', '/Customers?limit=1')
  if (first.status === 503) await pause(Number(first.retryAfter) * 1_000)
  const { status: firstAnswer } = first.status === 503 ? await call('GET', '/Customers?limit=1') : first
  await within(RECOVERY_TIMEOUT_MS, 'the writes during the outage', writing)
  over.abort()
  await within(RECOVERY_TIMEOUT_MS, 'the reads during the outage', reading)
  const acknowledgedDuring = acknowledged.size
  const refusals = seen.filter(({ status }) => !successStatuses.has(status) && status !== 200)

  // Repeats all writes with the same keys: completed ones are not done twice, the others are done now.
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
  await until('the callbacks', async () => (arrived().size >= cancelled.length ? true : undefined), RECOVERY_TIMEOUT_MS)
  return {
    isRunning: service.isRunning(),
    firstAnswer,
    acknowledged: acknowledgedDuring,
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
 * Takes a service's Postgres down for `downFor` milliseconds during reads, writes and deliveries, and compares what was
 * acknowledged with the rows and callbacks afterwards (ST-05).
 */
export async function surviveOutage(way: keyof typeof outages, downFor: number) {
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
