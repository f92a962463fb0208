import '../check-node.mjs'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, root, runCommand } from '../support/command.mjs'
import { ensureBuilt, ensureInstalled } from '../support/ensure-ready.mjs'
import { findChromium } from '../support/playwright.mjs'
import { launch, signIn } from './browser-page.mjs'
import { measureClient, measureGateway } from './measure-gateway.mjs'
import { measureLoads, measureMiddle, measureStill, measureWalk } from './measure-page.mjs'
import { startServers } from './servers.mjs'

void import('./list-speed.mjs')

/** The rows for `writeTable` from the readings of a run (a list with one record per round each). */
export function listMeasures({ desk, plain, walk, gateway }, middle, rows) {
  const many = middle.toLocaleString('en-GB')
  const all = rows.toLocaleString('en-GB')
  const of = (list, key) => list.map((reading) => reading[key]).filter((value) => value !== undefined)
  const both = (label, key) => [label, of(desk, key), of(plain, key), 'plain page']
  const own = (label, key) => [label, of(desk, key), [], '']
  const carried = (name, key) => gateway.map((round) => round[name][key])
  const added = (name) => gateway.map((round) => round[name].alone - round.upstream.alone)
  return [
    both('first row visible, CPU 1×, ms', 'first1'),
    both('first row visible, CPU 4×, ms', 'first4'),
    both('first row visible, CPU 4×, slow 4G, ms', 'firstSlow'),
    own('row 101 by scrolling, CPU 4×, ms', 'row101'),
    [`rows/s to ${many}`, of(desk, 'rate'), of(walk, 'clientRate'), 'bare client'],
    own('DOM elements at 1,000 rows', 'elements1'),
    own(`DOM elements at ${many} rows`, 'elements'),
    both(`scrolling 20 screens in 4 s at ${many} rows, CPU 4×: late frames, %`, 'lateScroll'),
    both('the same in 1 s: late frames, %', 'lateFling'),
    both('the same in 1 s: blank spots, %', 'blankFling'),
    both(`click to paint at ${many} rows, CPU 4×, ms`, 'click'),
    [`rows/s towards ${all}`, of(walk, 'walkRate'), of(walk, 'clientRate'), 'bare client'],
    [`a page of the walk to ${all}, ms`, of(walk, 'perPage'), of(walk, 'client'), 'bare client'],
    [`rows reached`, of(walk, 'reached'), [], ''],
    ['longest frame on the way, ms', of(walk, 'longest'), [], ''],
    ['script time a page, last tenth of the walk ÷ first', of(walk, 'scriptRatio'), [], ''],
    ['JS heap per 1,000 rows there, KB', of(walk, 'heap'), [], ''],
    ['DOM elements there', of(walk, 'walkElements'), [], ''],
    ['gateway, one at a time, ms', carried('gateway', 'alone'), carried('upstream', 'alone'), 'bare service'],
    ['what it adds to a request, ms', added('gateway'), added('pipe'), 'bare pipe'],
    ['gateway, 32 at once, requests/s', carried('gateway', 'saturated'), carried('pipe', 'saturated'), 'bare pipe'],
    ['the same', carried('gateway', 'saturated'), carried('upstream', 'saturated'), 'bare service'],
  ]
}

const format = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 })
const show = (value) => (value >= 1_000 ? Math.round(value).toLocaleString('en-GB') : format.format(value))

function summarise(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).toSorted((one, other) => one - other)
  if (sorted.length === 0) return null
  const middle = (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
  return { middle, min: sorted[0], max: sorted.at(-1) }
}

function writeCell(sum) {
  if (!sum) return '–'
  return sum.min === sum.max ? show(sum.middle) : `${show(sum.middle)} (${show(sum.min)}–${show(sum.max)})`
}

/**
 * A table of `measures` ([label, values of the desk, values of the reference, name of the reference]): median and
 * (min–max) of each, and the ratio of the medians.
 */
export function writeTable(measures) {
  const lines = measures
    .map(([label, ours, theirs, name]) => [label, summarise(ours), summarise(theirs), name])
    .filter(([, ours]) => ours)
    .map(([label, ours, theirs, name]) => {
      const ratio = theirs && theirs.middle > 0 ? show(ours.middle / theirs.middle) : '–'
      return `| ${label} | ${writeCell(ours)} | ${theirs ? `${writeCell(theirs)} ${name}` : '–'} | ${ratio} |`
    })
  return ['| measure | desk | reference | ratio |', '|---|---:|---:|---:|', ...lines].join('\n')
}

const parts = ['loads', 'scroll', 'walk', 'gateway']
const usage = `Usage: npm run bench [-- --rounds 3 --rows 100000 --only ${parts.join(',')} --out docs/bench.md]`

function readNumber(name, text, least) {
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
    throw new CommandError(`${error.message}\n${usage}`)
  }
}

/** The options: { rounds, rows, only: the parts to run, out: the file in the repository }. */
export function readOptions() {
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

const setLatency = (upstream, ms) => fetch(`${upstream}/latency?ms=${ms}`, { method: 'PUT' })

/** Takes the readings of one round, alternating between the desk and its references; only the parts in `only`. */
async function runRound({ servers, desk, plain, cookie, middle, rows, only, brief }, readings) {
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
    const targets = {
      upstream: { url: `${servers.upstream}/Payments?limit=100` },
      pipe: { url: `${servers.pipe}/Payments?limit=100` },
      gateway: { url: `${servers.desk}/api/service/Payments?limit=100`, headers: { cookie } },
    }
    readings.gateway.push(
      await measureGateway(targets, brief ? { requests: 50, seconds: 1 } : { requests: 400, seconds: 5 }),
    )
    await setLatency(servers.upstream, latency)
  }
}

async function measure({ rounds, rows, only }, folder, children) {
  const { executablePath } = await findChromium()
  const servers = await startServers({ rows, folder, children })
  await setLatency(servers.upstream, latency)
  const storageState = await signIn(executablePath, servers.desk, servers.who)
  const middle = Math.min(10_000, rows)
  const round = {
    servers,
    desk: { executablePath, storageState, url: `${servers.desk}/payments` },
    plain: { executablePath, url: `${servers.upstream}/plain?rows=${Math.min(1_000, rows)}` },
    cookie: storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    middle,
    rows,
    only,
    brief: rows < 10_000,
  }
  const readings = { desk: [], plain: [], walk: [], gateway: [] }
  const loads = [loadavg()[0]]
  for (let turn = 1; turn <= rounds; turn += 1) {
    console.log(`Round ${turn} of ${rounds} …`)
    await runRound(round, readings)
    loads.push(loadavg()[0])
  }
  const browser = await launch(executablePath)
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
await runCommand(async () => {
  const options = readOptions()
  await ensureInstalled()
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-bench-'))
  const children = []
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
})
