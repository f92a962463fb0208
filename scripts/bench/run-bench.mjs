import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommand } from '../run/command-failure.mjs'
import { ensureBuilt } from '../run/ensure-built.mjs'
import { ensureInstalled } from '../run/ensure-installed.mjs'
import { findChromium } from '../run/find-chromium.mjs'
import { root } from '../run/root.mjs'
import { listMeasures } from './list-measures.mjs'
import { measureClient, measureGateway } from './measure-gateway.mjs'
import { measureLoads, measureMiddle, measureStill, measureWalk } from './measure-page.mjs'
import { launch, signIn } from './open-page.mjs'
import { readOptions } from './read-options.mjs'
import { startServers } from './start-servers.mjs'
import { writeTable } from './write-table.mjs'

const latency = 15

const setLatency = (upstream, ms) => fetch(`${upstream}/latency?ms=${ms}`, { method: 'PUT' })

/** The readings of one round, the desk and what it is held against in turn; the parts that `only` names. */
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

// The list and the gateway beside what this machine allows. The table is kept in docs/bench.md.
await runCommand(async () => {
  const options = readOptions()
  await ensureInstalled()
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-bench-'))
  const children = []
  try {
    const text = await measure(options, folder, children)
    const file = resolve(root, options.out)
    // What a person wrote below the table stays.
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
