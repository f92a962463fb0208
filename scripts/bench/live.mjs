import '../check-node.mjs'
import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandError, root, runCommand } from '../support/command.mjs'
import { ensureBuilt, ensureInstalled } from '../support/ensure-ready.mjs'
import { startDesk, startService } from '../support/servers.mjs'
import { prepareEnvironment, readSettings } from '../support/settings.mjs'
import { signInByCall } from './mixed-load.mjs'
import { findFreePort, unsetForeignSettings } from './servers.mjs'

void import('./live.mjs')

/** Streams a person may have open (MAX_STREAMS_PER_PERSON), less one. */
const PAGES_PER_PERSON = 11
const CHANGE_INTERVAL_MS = 10_000
const TICKS_PER_SECOND = 100

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]

/** { cpu } in seconds and { rss } in MB of a process, as Linux counts them. */
function readProcess(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rss = Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, rss }
}

async function start(folder, children) {
  unsetForeignSettings()
  Object.assign(process.env, {
    PORT: String(await findFreePort()),
    SERVICE_PORT: String(await findFreePort()),
    DATA_DIR: folder,
    SEED_PAYMENTS: '2000',
    CANCEL_VELOCITY: 'off',
  })
  const settings = await readSettings()
  const { env, token, address, signIns } = prepareEnvironment(settings)
  await startService({ settings, env, token, children })
  const { pid } = await startDesk({ settings, env, children })
  return { desk: address, people: signIns, pid }
}

/** Signs in as many viewers as `pages` need. */
async function signInPeople(desk, admin, pages) {
  const people = []
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
async function repeat(interval, signal, work) {
  await sleep(Math.random() * interval, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    await work()
    await sleep(interval, undefined, { signal }).catch(() => undefined)
  }
}

/** The page of webhooks as it is without events: the inbox every 3 s, the counts of the navigation every 1 and 5 minutes. */
function openPolling(person, signal, count) {
  const read = (path) => () => person.call(`/api/desk${path}`).then(count)
  return Promise.all([
    repeat(3_000, signal, read('/inbox')),
    repeat(60_000, signal, read('/bulk/approvals')),
    repeat(300_000, signal, read('/overview/closing')),
  ])
}

/** The same page with events: it reads what it is told of, and the rest once a minute. */
async function openLive(person, signal, count, onEvent) {
  const read = (path) => person.call(`/api/desk${path}`).then(count)
  const wanted = new Map()
  const again = async (path, delay, interval) => {
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
    if (reply.status !== 200) throw new CommandError(`GET /api/desk/events answered ${reply.status}`)
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
      for (const line of chunk.split('\n').filter((one) => one.startsWith('data: '))) {
        const event = JSON.parse(line.slice(6))
        onEvent(event)
        if ('inbox' in event) void again('/inbox', 0, 1_000)
        if ('bulk' in event) void again('/bulk/approvals', 0, 5_000)
        if ('closing' in event) void again('/overview/closing', 1_000, 5_000)
      }
    }
  }
  await Promise.all([
    follow().catch((error) => {
      if (!signal.aborted) throw error
    }),
    repeat(60_000, signal, () => read('/inbox')),
    repeat(60_000, signal, () => read('/bulk/approvals')),
    repeat(300_000, signal, () => read('/overview/closing')),
  ])
}

/** Lets `pages` pages be open for `seconds`, while a payment is cancelled every 10 s. */
async function measure({ pages, seconds }, { admin, people, pid, payments }, isLive) {
  const left = new AbortController()
  const { signal } = left
  setMaxListeners(0, signal)
  let requests = 0
  let events = 0
  const delays = []
  let changed = { id: '', at: 0 }
  const count = () => (requests += 1)
  const onEvent = ({ cancellation }) => {
    if (cancellation?.includes(changed.id)) delays.push(performance.now() - changed.at)
  }
  const open = Array.from({ length: pages }, (_, page) => {
    const person = people[Math.floor(page / PAGES_PER_PERSON)]
    const heard = new Set()
    // The first event of a cancellation counts.
    const hear = (event) => {
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
    const { id, amount, currency, status, modifiedAt } = payments.pop()
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
    delay: delays.length > 0 ? median(delays) : null,
    latest: delays.length > 0 ? delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.95)] : null,
  }
}

const mid = (results, name) => median(results.map((one) => one[name]))

function writeReport({ pages, seconds, rounds }, polling, live) {
  const row = (name, key, digits) =>
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

function readOptions() {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string', default: 'docs/reports/live.md' },
    },
  })
  const { out, ...numbers } = values
  const read = Object.entries(numbers).map(([name, text]) => [name, Number(text)])
  const wrong = read.find(([, value]) => !(value > 0))
  if (wrong) throw new CommandError(`--${wrong[0]} must be a number above 0.`)
  return { ...Object.fromEntries(read), out }
}

// Whether pages that are told of changes cost the desk less than pages that poll.
await runCommand(async () => {
  const options = readOptions()
  await ensureInstalled()
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-live-'))
  const children = []
  try {
    const { desk, people: signIns, pid } = await start(folder, children)
    const admin = await signInByCall(
      desk,
      signIns.find(({ role }) => role === 'admin'),
    )
    await admin.call('/api/desk/inbox/subscription', { method: 'POST', body: {} })
    const people = await signInPeople(desk, admin, options.pages)
    const payments = []
    for (let after = ''; payments.length < 100 && after !== null; ) {
      const query = new URLSearchParams({ limit: '100', filter: "status eq 'Pending'", ...(after && { after }) })
      const page = JSON.parse((await admin.call(`/api/service/Payments?${query}`)).text)
      payments.push(...page.results)
      after = page.hasMore ? page.nextOffset : null
    }
    const polling = []
    const live = []
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
})
