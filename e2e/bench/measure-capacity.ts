import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, type Dispatcher, request } from 'undici'
import pg from 'pg'
import { type ListedPayment, readPendingPayments } from '../support/api'
import { type DeskGroup, startDeskGroup } from '../support/desk-group'

/*
 * How many people at work one desk behind nginx carries, with its store on Postgres. Arguments: numbers of people, comma-separated, and
 * the seconds of each. Each person has a session, an address and an event stream of their own, and thinks 5 s (2.5 to 7.5) between two
 * steps. Prints the result, the last line as JSON.
 */

const [levels = '25,50,100', seconds = '40'] = process.argv.slice(2)
const THINK_MS = 5_000
const GROWTH = 1_000
const TEAM = 20

// Postgres runs as another user, which must be able to read its files.
process.umask(0o022)

type Person = {
  get: (path: string) => Promise<string>
  cancel: (payment: ListedPayment) => Promise<void>
  leave: () => Promise<void>
}

const failures = new Map<string, number>()
const quantile = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0

async function bringPerson(group: DeskGroup, cookie: string, index: number): Promise<Person> {
  // An address of their own: the desk bounds what one address may ask at once.
  const localAddress = `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`
  const dispatcher = new Agent({ connections: 6, connect: { rejectUnauthorized: false, localAddress } })
  const headers = { cookie, 'x-debitdesk': '1', origin: group.url, 'sec-fetch-site': 'same-origin' }
  const send = async (path: string, options: Partial<Dispatcher.RequestOptions> = {}) => {
    const { statusCode, body } = await request(`${group.url}${path}`, {
      dispatcher,
      method: 'GET',
      ...options,
      headers: { ...headers, ...(options.body !== undefined && { 'content-type': 'application/json' }) },
    })
    const text = await body.text()
    if (statusCode >= 400) {
      const failure = `${statusCode} ${path.split('?', 1)[0]?.replace(/[\da-f-]{36}/u, 'ID')}`
      failures.set(failure, (failures.get(failure) ?? 0) + 1)
    }
    return text
  }
  const stream = await request(`${group.url}/api/desk/events`, { dispatcher, headers })
  stream.body.on('error', () => undefined).resume()
  return {
    get: (path) => send(path),
    cancel: async ({ id: paymentId, amount, currency, status, modifiedAt }) => {
      const seen = { amount, currency, status, modifiedAt }
      const body = JSON.stringify({ key: randomUUID(), paymentId, reason: 'Measured', seen })
      await send('/api/desk/cancellations', { method: 'POST', body })
    },
    leave: () => dispatcher.destroy(),
  }
}

type Step = [name: string, take: (person: Person) => Promise<unknown>]

/** The steps of support's work, over and over: a list, scrolling, filters, other lists, a payment, and a cancellation. */
function listSteps(payments: ListedPayment[]): Step[] {
  const some = () => payments[Math.floor(Math.random() * payments.length)]
  const list = (query: Record<string, string>) =>
    `/api/service/Payments?${new URLSearchParams({ limit: '100', ...query })}`
  return [
    ['page of payments', ({ get }) => get('/payments')],
    ['payments, scrolled', ({ get }) => get(list({}))],
    ['payments that are pending', ({ get }) => get(list({ filter: "status eq 'Pending'" }))],
    ['payments by part of a name', ({ get }) => get(list({ filter: "contains(customer/name,'an')" }))],
    ['mandates', ({ get }) => get('/api/service/Customers/mandates?limit=100')],
    ['cancellations of a payment', ({ get }) => get(`/api/desk/cancellations?paymentId=${some()?.id}`)],
    ['page of a payment', ({ get }) => get(`/payments/${some()?.id}`)],
    ['customers', ({ get }) => get('/api/service/Customers?limit=100')],
    ['overview', ({ get }) => get('/api/desk/overview')],
    [
      'cancelling',
      async ({ cancel }) => {
        const payment = payments.pop()
        if (payment) await cancel(payment)
      },
    ],
  ]
}

export type Level = {
  people: number
  perSecond: number
  median: number
  slow: number
  /** Cores that the desk's process used. */
  cores: number
  memoryMb: number
  connections: number
  failed: number
  /** 95 % of each step, slowest first, in milliseconds. */
  slowSteps: [name: string, milliseconds: number][]
}

async function measureLevel(
  people: Person[],
  steps: Step[],
  readDesk: () => Promise<{ cpu: number; memory: number; connections: number }>,
): Promise<Level> {
  const times: number[] = []
  const byStep = new Map<string, number[]>()
  const milliseconds = Number(seconds) * 1_000
  const began = performance.now()
  // People who have only come think first, and what the first ones wait for does not count.
  const counts = () => performance.now() - began > THINK_MS
  const before = { ...(await readDesk()), at: performance.now() }
  failures.clear()
  await Promise.all(
    people.map(async (person, index) => {
      await wait(Math.random() * THINK_MS)
      for (let turn = index; performance.now() - began < milliseconds; turn += 1) {
        const [name, take] = steps[turn % steps.length] ?? []
        if (!name || !take) break
        const at = performance.now()
        await take(person)
        if (counts()) {
          times.push(performance.now() - at)
          byStep.set(name, [...(byStep.get(name) ?? []), performance.now() - at])
        }
        await wait(THINK_MS * (0.5 + Math.random()))
      }
    }),
  )
  const after = await readDesk()
  const sort = (values: number[]) => values.toSorted((one, other) => one - other)
  const sorted = sort(times)
  return {
    people: people.length,
    perSecond: sorted.length / ((milliseconds - THINK_MS) / 1_000),
    median: quantile(sorted, 0.5),
    slow: quantile(sorted, 0.95),
    cores: (after.cpu - before.cpu) / ((performance.now() - before.at) / 1_000),
    memoryMb: after.memory / 1_048_576,
    connections: after.connections,
    failed: [...failures.values()].reduce((sum, count) => sum + count, 0),
    slowSteps: [...byStep]
      .map(([name, took]): [string, number] => [name, Math.round(quantile(sort(took), 0.95))])
      .toSorted(([, one], [, other]) => other - one),
  }
}

const group = await startDeskGroup(1, { CANCEL_VELOCITY: 'off' }, 12_000)
const db = new pg.Client({ connectionString: group.databaseUrl })
try {
  await db.connect()
  const readMetric = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)?.[1])
  const readDesk = async () => {
    const [metrics] = await group.readMetrics()
    const { rows } = await db.query(
      'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return {
      cpu: readMetric(metrics ?? '', 'process_cpu_seconds_total'),
      memory: readMetric(metrics ?? '', 'process_resident_memory_bytes'),
      connections: Number(rows[0]?.count),
    }
  }
  const readStore = async () => {
    const { rows } = await db.query(
      'select pg_database_size(current_database()) as size, (select count(*) from cancellations) as cancellations',
    )
    return { megabytes: Number(rows[0]?.size) / 1_048_576, cancellations: Number(rows[0]?.cancellations) }
  }

  const admin = await group.signIn()
  const payments = await readPendingPayments(admin, group.url)
  const team = []
  for (let count = 0; count < TEAM; count += 1) team.push(await group.addMember(admin, 'support'))
  const people: Person[] = []
  const result: { levels: Level[]; growthMb: number; failures: [string, number][] } = {
    levels: [],
    growthMb: 0,
    failures: [],
  }
  const steps = listSteps(payments)
  for (const level of levels.split(',').map(Number)) {
    while (people.length < level) {
      const member = team[people.length % TEAM]
      const context = await group.signIn(member)
      const { cookies } = await context.storageState()
      await context.dispose()
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      people.push(await bringPerson(group, cookie, people.length))
    }
    const measured = await measureLevel(people, steps, readDesk)
    result.levels.push(measured)
    result.failures.push(...failures)
    console.log(JSON.stringify(measured))
  }
  // What cancellations leave behind, after the outcome of each is known.
  await wait(5_000)
  const [before, [first]] = [await readStore(), people]
  failures.clear()
  for (const payment of payments.splice(0, GROWTH)) await first?.cancel(payment)
  result.failures.push(...failures)
  await wait(20_000)
  const after = await readStore()
  const grown = after.cancellations - before.cancellations
  console.log(`${grown} cancellations for the store's growth`)
  result.growthMb = ((after.megabytes - before.megabytes) / grown) * 10_000
  await Promise.all(people.map(({ leave }) => leave()))
  await admin.dispose()
  console.log(`RESULT ${JSON.stringify(result)}`)
} finally {
  await db.end()
  await group.close()
}
