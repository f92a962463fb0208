import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandFailure, runCommand } from '../run/command-failure.mjs'
import { ensureBuilt } from '../run/ensure-built.mjs'
import { ensureInstalled } from '../run/ensure-installed.mjs'
import { prepareEnvironment } from '../run/prepare-environment.mjs'
import { readSettings } from '../run/read-settings.mjs'
import { root } from '../run/root.mjs'
import { startDesk } from '../run/start-desk.mjs'
import { startService } from '../run/start-service.mjs'
import { findFreePort } from './find-free-port.mjs'
import { keepOwnSettings } from './keep-own-settings.mjs'
import { mixLoad } from './mix-load.mjs'
import { readMemory } from './read-memory.mjs'
import { writeMemory } from './write-memory.mjs'

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
    if (wrong) throw new CommandFailure(`--${wrong[0]} must be a number above 0.`)
    const options = { ...Object.fromEntries(read), out }
    if (options.minutes / options.every < 3) throw new CommandFailure('--every must leave three readings at least.')
    return options
  } catch (error) {
    throw new CommandFailure(`${error.message}\n${usage}`)
  }
}

/** The desk and the embedded service of its own, in `folder`. Answers { desk, people, inspectPort }. */
async function start({ payments, folder, children }) {
  const [port, servicePort, inspectPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  keepOwnSettings()
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

// Whether the desk's server keeps what it should not: its heap after garbage collection under mixed work.
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
