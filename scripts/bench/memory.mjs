import '../check-node.mjs'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandError, root, runCommand } from '../support/command.mjs'
import { ensureBuilt, ensureInstalled } from '../support/ensure-ready.mjs'
import { startDesk, startService } from '../support/servers.mjs'
import { prepareEnvironment, readSettings } from '../support/settings.mjs'
import { mixLoad } from './mixed-load.mjs'
import { findFreePort, unsetForeignSettings } from './servers.mjs'

void import('./memory.mjs')

async function findInspector(port) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  return target.webSocketDebuggerUrl
}

/** Returns a function that sends a request to the inspector at `socket` and returns its result. It throws a CommandError on errors. */
function makeAsk(socket) {
  const waiting = new Map()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new CommandError(`The inspector answered: ${error.message}`))
    else asked?.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.reject(new CommandError('The inspector has closed.'))
  })
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1
      const id = last
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
}

/** The expression to evaluate, in bytes: `code` is the part of the heap with machine code and its metadata. */
const reading = `JSON.stringify({ ...process.memoryUsage(),
  code: process.getBuiltinModule('v8').getHeapCodeStatistics().code_and_metadata_size })`

/**
 * { heapUsed, external, rss, code } of the process with its inspector at `port` of 127.0.0.1, after three garbage
 * collections. Disconnects at once, because a connected inspector retains objects.
 */
export async function readMemory(port) {
  const { WebSocket } = await import('undici')
  const socket = new WebSocket(await findInspector(port))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new CommandError('The inspector cannot be reached.')))
  })
  try {
    const ask = makeAsk(socket)
    for (let turn = 0; turn < 3; turn += 1) await ask('HeapProfiler.collectGarbage')
    const { result } = await ask('Runtime.evaluate', { expression: reading })
    return JSON.parse(result.value)
  } finally {
    socket.close()
  }
}

const inMegabytes = (bytes) => (bytes / 1e6).toFixed(1)

/** Megabytes per ten minutes: the slope of the least-squares line through `read` of the readings. */
function findSlope(readings, read) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(readings.map((reading) => reading.minute))
  const heap = mean(readings.map(read))
  const together = readings.reduce((sum, one) => sum + (one.minute - minute) * (read(one) - heap), 0)
  const apart = readings.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0)
  return ((together / apart) * 10) / 1e6
}

const readHeap = ({ heapUsed }) => heapUsed
const readRest = ({ heapUsed, code }) => heapUsed - code

function writeSlope(readings, since) {
  const counted = readings.filter(({ minute }) => minute >= since - 0.5)
  if (counted.length < 3) return null
  const [heap, rest] = [readHeap, readRest].map((read) => findSlope(counted, read).toFixed(2))
  return `${heap} MB from minute ${since} on (${rest} without the machine code)`
}

/**
 * The page docs/reports/memory.md with `readings` ({ minute, heapUsed, code, external, rss, requests }, in bytes) and
 * their slope. `failure` is the error that ended them early, if any.
 */
export function writeMemory(readings, { minutes, pause, payments }, failure) {
  const { requests } = readings.at(-1)
  const slopes = [...new Set([5, 10, minutes / 2])].map((since) => writeSlope(readings, since)).filter(Boolean)
  const lines = readings.map(
    (one) =>
      `| ${one.minute.toFixed(0)} | ${one.requests.toLocaleString('en-GB')} | ${inMegabytes(one.heapUsed)} | ${inMegabytes(one.code)} | ${inMegabytes(one.external)} | ${inMegabytes(one.rss)} |`,
  )
  return `# What the desk's server keeps

Written by \`npm run bench:memory\`. An admin, a support worker and a viewer work at once: they sign in, open every page, walk the payments (all and filtered), the customers and the mandates by up to 200 pages each, open records, search, are refused, cancel payments and wait for the outcome, create and delete customers, export all payments, sign out and begin anew. The status of every reply is checked. The heap is read after three garbage collections; what V8 compiles as the work goes on is a part of it.

${new Date().toISOString().slice(0, 10)}: ${minutes} minutes, the embedded service with ${payments.toLocaleString('en-GB')} payments, ${pause} ms between the requests of each, ${requests.toLocaleString('en-GB')} requests. Node ${process.versions.node}.${failure ? `\n\nIt ended early: ${failure.message}` : ''}

Slope of the heap in 10 minutes: ${slopes.join(', ') || 'too few readings'}.

| minute | requests | heap, MB | machine code in it, MB | outside of it, MB | process, MB |
|---:|---:|---:|---:|---:|---:|
${lines.join('\n')}
`
}

const usage =
  'Usage: npm run bench:memory [-- --minutes 60 --every 5 --pause 100 --payments 20000 --out docs/reports/memory.md]'

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '60' },
        every: { type: 'string', default: '5' },
        pause: { type: 'string', default: '100' },
        payments: { type: 'string', default: '20000' },
        out: { type: 'string', default: 'docs/reports/memory.md' },
      },
    })
    const { out, ...numbers } = values
    const read = Object.entries(numbers).map(([name, text]) => [name, Number(text)])
    const wrong = read.find(([, value]) => !(value > 0))
    if (wrong) throw new CommandError(`--${wrong[0]} must be a number above 0.`)
    const options = { ...Object.fromEntries(read), out }
    if (options.minutes / options.every < 3) throw new CommandError('--every must leave three readings at least.')
    return options
  } catch (error) {
    throw new CommandError(`${error.message}\n${usage}`)
  }
}

/** Starts a desk with an embedded service in `folder`. Returns { desk, people, inspectPort }. */
async function start({ payments, folder, children }) {
  const [port, servicePort, inspectPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  unsetForeignSettings()
  Object.assign(process.env, {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: folder,
    SEED_PAYMENTS: String(payments),
  })
  const settings = await readSettings()
  const { env, token, address, signIns } = prepareEnvironment(settings)
  await startService({ settings, env, token, children })
  await startDesk({ settings, env, inspectPort, children })
  return { desk: address, people: signIns, inspectPort }
}

async function measure({ minutes, every, pause, payments }, folder, children) {
  const { inspectPort, ...target } = await start({ payments, folder, children })
  const began = Date.now()
  const readings = []
  let requests = 0
  let failure = null
  const until = began + minutes * 60_000
  const load = mixLoad({ ...target, until, pause, onCall: () => (requests += 1) }).catch((error) => (failure = error))
  for (let at = every; at <= minutes; at += every) {
    await Promise.race([load, sleep(began + at * 60_000 - Date.now())])
    if (failure) break
    const memory = await readMemory(inspectPort)
    readings.push({ minute: (Date.now() - began) / 60_000, ...memory, requests })
    const heap = (memory.heapUsed / 1e6).toFixed(1)
    console.log(`${at} of ${minutes} minutes: ${heap} MB of heap after ${requests.toLocaleString('en-GB')} requests`)
  }
  await load
  return { readings, failure }
}

// Whether the desk's server leaks memory: its heap after garbage collection during mixed work.
await runCommand(async () => {
  const options = readOptions()
  await ensureInstalled()
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-memory-'))
  const children = []
  try {
    const { readings, failure } = await measure(options, folder, children)
    if (readings.length === 0) throw failure
    const text = writeMemory(readings, options, failure)
    writeFileSync(resolve(root, options.out), text)
    console.log(`\n${text}\nWritten to ${options.out}.`)
    if (failure) throw failure
  } finally {
    for (const child of children.toReversed()) await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.exit(0)
})
