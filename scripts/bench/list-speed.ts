import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, readMessage, root } from '../support/command.mjs'
import { ensureBuilt } from '../support/ensure-built'
import { findChromium } from '../support/playwright'
import type { Child } from '../support/servers'
import { launch, signIn, type Target } from './browser-page'
import { type GatewayReading, measureClient, measureGateway } from './measure-gateway'
import { measureLoads, measureMiddle, measureStill, measureWalk } from './measure-page'
import { type Servers, startServers } from './servers'

type Figures = Record<string, number | undefined>

/** What was measured, one record a round each. */
type Readings = {
  desk: Figures[]
  plain: Figures[]
  walk: Figures[]
  gateway: Map<'upstream' | 'pipe' | 'gateway', GatewayReading>[]
}

type Measure = {
  label: string
  ours: number[]
  /** Of `reference`, where there is one. */
  theirs: number[]
  reference: string
}

/** The rows for `writeTable` from the readings of a run. */
function listMeasures({ desk, plain, walk, gateway }: Readings, middle: number, rows: number): Measure[] {
  const many = middle.toLocaleString('en-GB')
  const all = rows.toLocaleString('en-GB')
  const of = (list: Figures[], key: string) =>
    list.map((reading) => reading[key]).filter((value) => value !== undefined)
  const beside = (label: string, ours: number[], theirs: number[], reference: string): Measure => {
    return { label, ours, theirs, reference }
  }
  const both = (label: string, key: string) => beside(label, of(desk, key), of(plain, key), 'plain page')
  const own = (label: string, key: string, list = desk) => beside(label, of(list, key), [], '')
  const carried = (name: 'upstream' | 'pipe' | 'gateway', key: keyof GatewayReading) =>
    gateway.map((round) => round.get(name)?.[key] ?? Number.NaN)
  const added = (name: 'pipe' | 'gateway') => {
    const upstream = carried('upstream', 'alone')
    return carried(name, 'alone').map((took, round) => took - (upstream[round] ?? Number.NaN))
  }
  return [
    both('first row visible, CPU 1×, ms', 'first1'),
    both('first row visible, CPU 4×, ms', 'first4'),
    both('first row visible, CPU 4×, slow 4G, ms', 'firstSlow'),
    own('row 101 by scrolling, CPU 4×, ms', 'row101'),
    beside(`rows/s to ${many}`, of(desk, 'rate'), of(walk, 'clientRate'), 'bare client'),
    own('DOM elements at 1,000 rows', 'elements1'),
    own(`DOM elements at ${many} rows`, 'elements'),
    both(`scrolling 20 screens in 4 s at ${many} rows, CPU 4×: late frames, %`, 'lateScroll'),
    both('the same in 1 s: late frames, %', 'lateFling'),
    both('the same in 1 s: blank spots, %', 'blankFling'),
    both(`click to paint at ${many} rows, CPU 4×, ms`, 'click'),
    beside(`rows/s towards ${all}`, of(walk, 'walkRate'), of(walk, 'clientRate'), 'bare client'),
    beside(`a page of the walk to ${all}, ms`, of(walk, 'perPage'), of(walk, 'client'), 'bare client'),
    own('rows reached', 'reached', walk),
    own('longest frame on the way, ms', 'longest', walk),
    own('script time a page, last tenth of the walk ÷ first', 'scriptRatio', walk),
    own('JS heap per 1,000 rows there, KB', 'heap', walk),
    own('DOM elements there', 'walkElements', walk),
    beside('gateway, one at a time, ms', carried('gateway', 'alone'), carried('upstream', 'alone'), 'bare service'),
    beside('what it adds to a request, ms', added('gateway'), added('pipe'), 'bare pipe'),
    beside(
      'gateway, 32 at once, requests/s',
      carried('gateway', 'saturated'),
      carried('pipe', 'saturated'),
      'bare pipe',
    ),
    beside('the same', carried('gateway', 'saturated'), carried('upstream', 'saturated'), 'bare service'),
  ]
}

const format = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 })
const show = (value: number) => (value >= 1_000 ? Math.round(value).toLocaleString('en-GB') : format.format(value))

type Summary = { middle: number; min: number; max: number }

function summarise(values: readonly number[]): Summary | null {
  const sorted = values.filter((value) => Number.isFinite(value)).toSorted((one, other) => one - other)
  const [min, max] = [sorted[0], sorted.at(-1)]
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  if (min === undefined || max === undefined || low === undefined || high === undefined) return null
  return { middle: (low + high) / 2, min, max }
}

function writeCell(sum: Summary | null): string {
  if (!sum) return '–'
  return sum.min === sum.max ? show(sum.middle) : `${show(sum.middle)} (${show(sum.min)}–${show(sum.max)})`
}

/** A table of the measures: median and (min–max) of each, and the ratio of the medians. */
function writeTable(measures: readonly Measure[]): string {
  const lines = measures.flatMap(({ label, reference, ...values }) => {
    const [ours, theirs] = [summarise(values.ours), summarise(values.theirs)]
    if (!ours) return []
    const ratio = theirs && theirs.middle > 0 ? show(ours.middle / theirs.middle) : '–'
    return [`| ${label} | ${writeCell(ours)} | ${theirs ? `${writeCell(theirs)} ${reference}` : '–'} | ${ratio} |`]
  })
  return ['| measure | desk | reference | ratio |', '|---|---:|---:|---:|', ...lines].join('\n')
}

const parts = ['loads', 'scroll', 'walk', 'gateway']
const usage = `Usage: npm run bench [-- --rounds 3 --rows 100000 --only ${parts.join(',')} --out docs/bench.md]`

function readNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new CommandError(`--${name} must be a whole number from ${least} on.\n${usage}`)
}

function readValues() {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string', default: '3' },
        rows: { type: 'string', default: '100000' },
        only: { type: 'string', default: parts.join(',') },
        out: { type: 'string', default: 'docs/bench.md' },
      },
    }).values
  } catch (error) {
    throw new CommandError(`${readMessage(error)}\n${usage}`)
  }
}

type Options = {
  rounds: number
  rows: number
  /** The parts to run. */
  only: string[]
  /** The file in the repository. */
  out: string
}

function readOptions(): Options {
  const values = readValues()
  const only = values.only.split(',')
  const wrong = only.find((part) => !parts.includes(part))
  if (wrong !== undefined) throw new CommandError(`--only knows no part "${wrong}".\n${usage}`)
  return {
    rounds: readNumber('rounds', values.rounds, 1),
    rows: readNumber('rows', values.rows, 1_000),
    only,
    out: values.out,
  }
}

const latency = 15

const setLatency = (upstream: string, ms: number) => fetch(`${upstream}/latency?ms=${ms}`, { method: 'PUT' })

type Round = Pick<Options, 'rows' | 'only'> & {
  servers: Servers
  desk: Target
  plain: Target
  /** Of somebody who is signed in. */
  cookie: string
  /** How many rows to load before scrolling. */
  middle: number
  brief: boolean
}

/** Takes the readings of one round, alternating between the desk and its references; only the parts in `only`. */
async function runRound(
  { servers, desk, plain, cookie, middle, rows, only, brief }: Round,
  readings: Readings,
): Promise<void> {
  if (only.includes('loads')) {
    readings.plain.push(await measureLoads({ ...plain, url: `${servers.upstream}/plain?rows=101` }))
    readings.desk.push(await measureLoads(desk))
  }
  if (only.includes('scroll')) {
    readings.plain.push(await measureStill(plain))
    readings.desk.push(await measureMiddle(desk, middle))
  }
  if (only.includes('walk')) {
    const client = await measureClient(servers.upstream, rows / 100)
    readings.walk.push({ client, clientRate: 100_000 / client, ...(await measureWalk(desk, rows)) })
  }
  if (only.includes('gateway')) {
    await setLatency(servers.upstream, 0)
    const targets = new Map([
      ['upstream' as const, { url: `${servers.upstream}/Payments?limit=100` }],
      ['pipe' as const, { url: `${servers.pipe}/Payments?limit=100` }],
      ['gateway' as const, { url: `${servers.desk}/api/service/Payments?limit=100`, headers: { cookie } }],
    ])
    readings.gateway.push(
      await measureGateway(targets, brief ? { requests: 50, seconds: 1 } : { requests: 400, seconds: 5 }),
    )
    await setLatency(servers.upstream, latency)
  }
}

async function measure({ rounds, rows, only }: Options, folder: string, children: Child[]): Promise<string> {
  const chromium = await findChromium()
  const servers = await startServers({ rows, folder, children })
  await setLatency(servers.upstream, latency)
  const storageState = await signIn(chromium, servers.desk, servers.who)
  const middle = Math.min(10_000, rows)
  const round = {
    servers,
    desk: { ...chromium, storageState, url: `${servers.desk}/payments` },
    plain: { ...chromium, url: `${servers.upstream}/plain?rows=${Math.min(1_000, rows)}` },
    cookie: storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    middle,
    rows,
    only,
    brief: rows < 10_000,
  }
  const readings: Readings = { desk: [], plain: [], walk: [], gateway: [] }
  const readLoad = () => loadavg()[0] ?? 0
  const loads = [readLoad()]
  for (let turn = 1; turn <= rounds; turn += 1) {
    console.log(`Round ${turn} of ${rounds} …`)
    await runRound(round, readings)
    loads.push(readLoad())
  }
  const browser = await launch(chromium)
  const version = browser.version()
  await browser.close()
  const cores = availableParallelism()
  const about = `${new Date().toISOString().slice(0, 10)}: ${rounds} rounds of ${only.join(', ')}; a service of ${rows.toLocaleString('en-GB')} payments that answers after ${latency} ms (the gateway's after 0). Chromium ${version}, Node ${process.versions.node}, ${cores} cores, load average ${loads.map((load) => load.toFixed(1)).join(' → ')}: above ${cores}, others took part of the machine.`
  return `${about}\n\n${writeTable(listMeasures(readings, middle, rows))}\n`
}

const heading = `# How fast the payments list is

Written by \`npm run bench\`. Medians (min–max); within a round the desk and what it is held against take turns, each reading in a browser of its own. Ratios count, not milliseconds. The plain page is HTML without script: 101 rows for the first row, at most 1,000 for scrolling and clicking. The bare client asks for one page after the other and parses it; the bare pipe is a handler of \`node:http\` that only hands on.
`

const notes = '## What limits it'

// Compares the list and the gateway with what this machine allows, and writes the table to docs/bench.md.
const options = readOptions()
await ensureBuilt()
const folder = mkdtempSync(join(tmpdir(), 'debitdesk-bench-'))
const children: Child[] = []
try {
  const text = await measure(options, folder, children)
  const file = resolve(root, options.out)
  // Keeps the hand-written part below the table.
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const written = before.includes(notes) ? `\n${before.slice(before.indexOf(notes))}` : ''
  writeFileSync(file, `${heading}\n${text}${written}`)
  console.log(`\n${text}\nWritten to ${options.out}.`)
} finally {
  for (const child of children.toReversed()) await child.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
