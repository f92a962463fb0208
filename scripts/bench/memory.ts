import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'undici'
import { CommandError, readMessage, root } from '../support/command.mjs'
import { ensureBuilt } from '../support/ensure-built'
import { type Child, startDesk, startService } from '../support/servers'
import { prepareEnvironment, readSettings } from '../support/settings'
import { mixLoad } from './mixed-load'
import { readPositive } from './options'
import { findFreePort, unsetForeignSettings } from './servers'

async function findInspector(port: number): Promise<string> {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  return target.webSocketDebuggerUrl
}

/** A result of the inspector; only `Runtime.evaluate` has one that is read. */
type Evaluation = { result: { value: string } }

type Ask = (method: string, params?: Record<string, unknown>) => Promise<Evaluation>

/** Returns a function that sends a request to the inspector at `socket` and returns its result. It throws a CommandError on errors. */
function makeAsk(socket: WebSocket): Ask {
  const waiting = new Map<number, { resolve: (result: Evaluation) => void; reject: (error: Error) => void }>()
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

/** Of a process, in bytes. */
type Memory = { heapUsed: number; external: number; rss: number; code: number }

/** `requests` since the beginning. */
type Reading = Memory & { minute: number; requests: number }

/** The expression to evaluate: `code` is the part of the heap with machine code and its metadata. */
const reading = `JSON.stringify({ ...process.memoryUsage(),
  code: process.getBuiltinModule('v8').getHeapCodeStatistics().code_and_metadata_size })`

/**
 * The memory of the process with its inspector at `port` of 127.0.0.1, after three garbage collections. Disconnects at
 * once, because a connected inspector retains objects.
 */
async function readMemory(port: number): Promise<Memory> {
  const socket = new WebSocket(await findInspector(port))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
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

const inMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** Megabytes per ten minutes: the slope of the least-squares line through `read` of the readings. */
function findSlope(readings: readonly Reading[], read: (reading: Reading) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(readings.map((reading) => reading.minute))
  const heap = mean(readings.map(read))
  const together = readings.reduce((sum, one) => sum + (one.minute - minute) * (read(one) - heap), 0)
  const apart = readings.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0)
  return ((together / apart) * 10) / 1e6
}

const readHeap = ({ heapUsed }: Reading) => heapUsed
const readRest = ({ heapUsed, code }: Reading) => heapUsed - code

function writeSlope(readings: readonly Reading[], since: number): string | null {
  const counted = readings.filter(({ minute }) => minute >= since - 0.5)
  if (counted.length < 3) return null
  const [heap, rest] = [findSlope(counted, readHeap).toFixed(2), findSlope(counted, readRest).toFixed(2)]
  return `${heap} MB from minute ${since} on (${rest} without the machine code)`
}

/**
 * The page docs/reports/memory.md with the readings and their slope. `failure` is the error that ended them early, if any.
 */
function writeMemory(
  readings: readonly Reading[],
  { minutes, pause, payments }: Options,
  failure: Error | null,
): string {
  const requests = readings.at(-1)?.requests ?? 0
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

type Options = { minutes: number; every: number; pause: number; payments: number; out: string }

function readOptions(): Options {
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
    const options = {
      minutes: readPositive('minutes', values.minutes),
      every: readPositive('every', values.every),
      pause: readPositive('pause', values.pause),
      payments: readPositive('payments', values.payments),
      out: values.out,
    }
    if (options.minutes / options.every < 3) throw new CommandError('--every must leave three readings at least.')
    return options
  } catch (error) {
    throw new CommandError(`${readMessage(error)}\n${usage}`)
  }
}

/** Starts a desk with an embedded service in `folder`. */
async function start(payments: number, folder: string, children: Child[]) {
  const [port, servicePort, inspectPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  unsetForeignSettings()
  Object.assign(process.env, {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: folder,
    SEED_PAYMENTS: String(payments),
  })
  const settings = readSettings()
  const { env, token, address, signIns } = prepareEnvironment(settings)
  await startService({ settings, env, token, children })
  await startDesk({ settings, env, inspectPort, children })
  return { desk: address, people: signIns, inspectPort }
}

async function measure({ minutes, every, pause, payments }: Options, folder: string, children: Child[]) {
  const { inspectPort, ...target } = await start(payments, folder, children)
  const began = Date.now()
  const readings: Reading[] = []
  let requests = 0
  let failure: Error | null = null
  const until = began + minutes * 60_000
  const load = mixLoad({ ...target, until, pause, onCall: () => (requests += 1) }).catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
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
const options = readOptions()
await ensureBuilt()
const folder = mkdtempSync(join(tmpdir(), 'debitdesk-memory-'))
const children: Child[] = []
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
