import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandError, root } from '../support/command.mjs'
import { ensureBuilt } from '../support/ensure-built'
import { type Child, startDesk, startService } from '../support/servers'
import { prepareEnvironment, readSettings } from '../support/settings'
import { median } from './measure-gateway'
import { type Session, signInByCall } from './mixed-load'
import { readPositive } from './options'
import { findFreePort, unsetForeignSettings } from './servers'

/** Streams a person may have open (MAX_STREAMS_PER_PERSON), less one. */
const PAGES_PER_PERSON = 11
const CHANGE_INTERVAL_MS = 10_000
const TICKS_PER_SECOND = 100

/** `cpu` in seconds and `rss` in MB of a process, as Linux counts them. */
function readProcess(pid: number): { cpu: number; rss: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rss = Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, rss }
}

async function start(folder: string, children: Child[]) {
  unsetForeignSettings()
  Object.assign(process.env, {
    PORT: String(await findFreePort()),
    SERVICE_PORT: String(await findFreePort()),
    DATA_DIR: folder,
    SEED_PAYMENTS: '2000',
    CANCEL_VELOCITY: 'off',
  })
  const settings = readSettings()
  const { env, token, address, signIns } = prepareEnvironment(settings)
  await startService({ settings, env, token, children })
  const { pid } = await startDesk({ settings, env, children })
  if (pid === undefined) throw new CommandError('The desk has no process.')
  return { desk: address, people: signIns, pid }
}

/** Signs in as many viewers as `pages` need. */
async function signInPeople(desk: string, admin: Session, pages: number): Promise<Session[]> {
  const people: Session[] = []
  for (let count = 0; count * PAGES_PER_PERSON < pages; count += 1) {
    const email = `viewer-${count}@bench.example`
    const password = randomBytes(15).toString('base64url')
    const { text } = await admin.call('/api/desk/team', {
      method: 'POST',
      body: { email, role: 'viewer' },
      allowed: [201],
    })
    const secret = JSON.parse(text).link.address.split('#').at(-1).split('/').at(-1)
    await admin.call('/api/password-link', { method: 'PUT', body: { secret, password } })
    people.push(await signInByCall(desk, { email, password }))
  }
  return people
}

/** Calls `work` every `interval` until `signal` aborts, beginning at a random moment of the first one. */
async function repeat(interval: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  await sleep(Math.random() * interval, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    await work()
    await sleep(interval, undefined, { signal }).catch(() => undefined)
  }
}

/** The page of webhooks as it is without events: the inbox every 3 s, the counts of the navigation every 1 and 5 minutes. */
function openPolling(person: Session, signal: AbortSignal, count: () => void) {
  const read = (path: string) => () => person.call(`/api/desk${path}`).then(count)
  return Promise.all([
    repeat(3_000, signal, read('/inbox')),
    repeat(60_000, signal, read('/bulk/approvals')),
    repeat(300_000, signal, read('/overview/closing')),
  ])
}

/** Kinds of records that changed, with their ids. */
type DeskEvent = Record<string, string[] | undefined>

/** The same page with events: it reads what it is told of, and the rest once a minute. */
async function openLive(
  person: Session,
  signal: AbortSignal,
  count: () => void,
  onEvent: (event: DeskEvent) => void,
): Promise<void> {
  const read = (path: string) => person.call(`/api/desk${path}`).then(count)
  const wanted = new Map<string, boolean>()
  const again = async (path: string, delay: number, interval: number): Promise<void> => {
    if (wanted.has(path)) {
      wanted.set(path, true)
      return
    }
    wanted.set(path, false)
    await sleep(delay)
    if (!signal.aborted) await read(path)
    await sleep(interval, undefined, { signal }).catch(() => undefined)
    const isWanted = wanted.get(path)
    wanted.delete(path)
    if (isWanted && !signal.aborted) await again(path, delay, interval)
  }
  const follow = async () => {
    const reply = await person.open('/api/desk/events', signal)
    if (reply.status !== 200 || !reply.body) throw new CommandError(`GET /api/desk/events answered ${reply.status}`)
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
      for (const line of chunk.split('\n').filter((one) => one.startsWith('data: '))) {
        const event: DeskEvent = JSON.parse(line.slice(6))
        onEvent(event)
        if ('inbox' in event) void again('/inbox', 0, 1_000)
        if ('bulk' in event) void again('/bulk/approvals', 0, 5_000)
        if ('closing' in event) void again('/overview/closing', 1_000, 5_000)
      }
    }
  }
  await Promise.all([
    follow().catch((error: unknown) => {
      if (!signal.aborted) throw error
    }),
    repeat(60_000, signal, () => read('/inbox')),
    repeat(60_000, signal, () => read('/bulk/approvals')),
    repeat(300_000, signal, () => read('/overview/closing')),
  ])
}

type PaymentPage = { results: Payment[]; continuation: { kind: string; after?: string } }

type Payment = { id: string; amount: number; currency: string; status: string; modifiedAt: string }

type Bench = { admin: Session; people: Session[]; pid: number; payments: Payment[] }

/** `cpu` in percent of a core, `requests` a second, `rss` in MB, `told` a minute and page, `delay` and `latest` in ms. */
type Reading = { cpu: number; requests: number; rss: number; told: number; delay: number; latest: number }

/** Lets `pages` pages be open for `seconds`, while a payment is cancelled every 10 s. */
async function measure({ pages, seconds }: Options, bench: Bench, isLive: boolean): Promise<Reading> {
  const { admin, people, pid, payments } = bench
  const left = new AbortController()
  const { signal } = left
  setMaxListeners(0, signal)
  let requests = 0
  let events = 0
  const delays: number[] = []
  let changed = { id: '', at: 0 }
  const count = () => (requests += 1)
  const onEvent = ({ cancellation }: DeskEvent) => {
    if (cancellation?.includes(changed.id)) delays.push(performance.now() - changed.at)
  }
  const open = Array.from({ length: pages }, (_, page) => {
    const person = people[Math.floor(page / PAGES_PER_PERSON)]
    if (!person) throw new CommandError('There are fewer people than the pages need.')
    const heard = new Set<string>()
    // The first event of a cancellation counts.
    const hear = (event: DeskEvent) => {
      events += 1
      if (heard.has(changed.id) || !event.cancellation?.includes(changed.id)) return
      heard.add(changed.id)
      onEvent(event)
    }
    return isLive ? openLive(person, signal, count, hear) : openPolling(person, signal, count)
  })
  await sleep(5_000)
  const before = readProcess(pid)
  requests = 0
  events = 0
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const payment = payments.pop()
    if (!payment) throw new CommandError('No pending payment is left.')
    const { id, amount, currency, status, modifiedAt } = payment
    changed = { id, at: performance.now() }
    const seen = { amount, currency, status, modifiedAt }
    const body = { key: randomUUID(), paymentId: id, reason: 'Measured', seen }
    await admin.call('/api/desk/cancellations', { method: 'POST', body, allowed: [200, 201, 202] })
    await sleep(Math.min(CHANGE_INTERVAL_MS, Math.max(0, until - performance.now())))
  }
  const after = readProcess(pid)
  const total = requests
  const told = (events / pages / seconds) * 60
  left.abort()
  await Promise.all(open)
  return {
    cpu: ((after.cpu - before.cpu) / seconds) * 100,
    requests: total / seconds,
    rss: after.rss,
    told,
    delay: median(delays),
    latest: delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.95)] ?? Number.NaN,
  }
}

const mid = (results: readonly Reading[], name: keyof Reading) => median(results.map((one) => one[name]))

function writeReport({ pages, seconds, rounds }: Options, polling: Reading[], live: Reading[]): string {
  const row = (name: string, key: keyof Reading, digits: number) =>
    `| ${name} | ${mid(polling, key).toFixed(digits)} | ${mid(live, key).toFixed(digits)} | ${(mid(live, key) / mid(polling, key)).toFixed(2)} |`
  return `# What open pages cost

Written by \`npm run bench:live\`. ${pages} pages of webhooks are open, of ${Math.ceil(pages / PAGES_PER_PERSON)} people who share no connection, while every 10 s a payment is cancelled and the service reports it. They poll as they do where no events get through, or are told of changes ([0137](../decisions/0137-changes-are-told-by-server-sent-events.md)), in turn. Ratios count, not milliseconds.

${new Date().toISOString().slice(0, 10)}: medians of ${rounds} rounds of ${seconds} s each, PGlite, Node ${process.versions.node}.

| measure | polling | told | ratio |
|---|---:|---:|---:|
${row('processor time of the desk, % of one core', 'cpu', 1)}
${row('requests a second', 'requests', 1)}
${row('memory of the process, MB', 'rss', 0)}

A page was told ${mid(live, 'told').toFixed(0)} times a minute, for the service also goes on with other payments. From the request of a cancellation until a page is told of it: ${mid(live, 'delay').toFixed(0)} ms in the median, 95 % within ${mid(live, 'latest').toFixed(0)} ms.
`
}

type Options = { pages: number; seconds: number; rounds: number; out: string }

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string', default: 'docs/reports/live.md' },
    },
  })
  return {
    pages: readPositive('pages', values.pages),
    seconds: readPositive('seconds', values.seconds),
    rounds: readPositive('rounds', values.rounds),
    out: values.out,
  }
}

// Whether pages that are told of changes cost the desk less than pages that poll.
const options = readOptions()
await ensureBuilt()
const folder = mkdtempSync(join(tmpdir(), 'debitdesk-live-'))
const children: Child[] = []
try {
  const { desk, people: signIns, pid } = await start(folder, children)
  const signIn = signIns.find(({ role }) => role === 'admin')
  if (!signIn) throw new CommandError('There is no demo sign-in.')
  const admin = await signInByCall(desk, signIn)
  await admin.call('/api/desk/inbox/subscription', { method: 'POST', body: {} })
  const people = await signInPeople(desk, admin, options.pages)
  const payments: Payment[] = []
  for (let after: string | null = ''; payments.length < 100 && after !== null; ) {
    const query: URLSearchParams = new URLSearchParams({
      limit: '100',
      filter: "status eq 'Pending'",
      ...(after && { after }),
    })
    const page: PaymentPage = JSON.parse((await admin.call(`/api/service/Payments?${query}`)).text)
    payments.push(...page.results)
    after = page.continuation.after ?? null
  }
  const polling: Reading[] = []
  const live: Reading[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    polling.push(await measure(options, { admin, people, pid, payments }, false))
    live.push(await measure(options, { admin, people, pid, payments }, true))
    console.log(`Round ${round}:`, JSON.stringify({ polling: polling.at(-1), live: live.at(-1) }))
  }
  const text = writeReport(options, polling, live)
  writeFileSync(resolve(root, options.out), text)
  console.log(`\n${text}\nWritten to ${options.out}.`)
} finally {
  for (const child of children.toReversed()) await child.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
