import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { bundleProgram } from './bundle-program.mjs'
import { CommandFailure, pickLine, root } from './command.mjs'
import { LogFile } from './log-file.mjs'

/** Longer than the desk takes to finish what it is at. */
const grace = 28_000
const preload = new URL('./end-with-parent.mjs', import.meta.url).href

/**
 * Starts a long-running Node process that ends when this one does. Its output goes to `log`, and to
 * the terminal too when `live`. The answer:
 *   exited   resolves with a short reason once it has ended
 *   lastLine the line of its stderr that says most
 *   stop     SIGTERM, then SIGKILL after 28 s; resolves when it has ended
 */
export function startChild({ name, args, env, log, live = false }) {
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    cwd: root,
    env: { ...env, DEBITDESK_PARENT: String(process.pid) },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches only the parent, which ends the children in order.
    detached: process.platform !== 'win32',
  })
  let told = ''
  const keep = (chunk, stream) => {
    log?.write(chunk, { isLog: stream === process.stdout })
    if (live) stream.write(chunk)
  }
  child.stdout.on('data', (chunk) => keep(chunk, process.stdout))
  child.stderr.on('data', (chunk) => {
    keep(chunk, process.stderr)
    // A start that takes long says why (lib/database/folder-lock.ts).
    if (!live) for (const [line] of String(chunk).matchAll(/^Waiting for .*$/gmu)) console.log(line)
    told = (told + chunk).slice(-4_000)
  })
  child.stdin.on('error', () => undefined)

  const exited = once(child, 'close').then(([code, signal]) => (signal ? `ended by ${signal}` : `exit code ${code}`))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const stop = async () => {
    if (isRunning()) child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), grace)
    await exited
    clearTimeout(timer)
  }
  const kill = () => child.kill('SIGKILL')
  return { name, exited, isRunning, stop, kill, lastLine: () => pickLine(told) }
}

const impatience = 2_000

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP, or when npm, which started this process, is gone.
 * `onAgain` is called for a further signal. One that follows within two seconds is the same request:
 * a terminal sends Ctrl-C to every process of its group, and npm passes it on once more.
 */
export function whenAskedToStop(onAgain) {
  let askedAt = 0
  return new Promise((resolve) => {
    const ask = () => {
      if (askedAt > 0 && Date.now() - askedAt > impatience) onAgain()
      askedAt ||= Date.now()
      resolve('asked')
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ask)
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && ask(), 500).unref()
  })
}

/**
 * Keeps a command alive with its children: `start(children)` starts them and pushes each. When asked to
 * stop, they are ended, last one first, and this returns. When one ends by itself, or cannot be
 * started, the others are ended too and a CommandFailure says which.
 */
export async function holdChildren(start) {
  // What they make under DATA_DIR is their owner's alone. Not set earlier: a build holds no secrets.
  process.umask(0o077)
  const children = []
  const asked = whenAskedToStop(() => children.forEach((child) => child.kill()))
  const startAndWatch = async () => {
    await start(children)
    const { child, reason } = await Promise.race(
      children.map((one) => one.exited.then((ending) => ({ child: one, reason: ending }))),
    )
    const line = child.lastLine()
    throw new CommandFailure(`${child.name} has ended by itself (${reason})${line ? `: ${line}` : '.'}`)
  }
  const running = startAndWatch()
  // Once asked to stop, the end of a child is no news.
  void asked.then(() => running.catch(() => undefined))
  try {
    await Promise.race([asked, running])
  } finally {
    for (const child of children.toReversed()) await child.stop()
  }
}

const patience = 120_000

async function answers(url, headers) {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(5_000) })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}

/** Waits until `url` answers 2xx, at most two minutes; a child that ends meanwhile fails at once. */
export async function waitUntilReady(child, url, { headers = {}, log }) {
  let ended = ''
  void child.exited.then((reason) => (ended = reason))
  const until = Date.now() + patience
  const where = log ? ` Its log: ${log.path}` : ''
  while (!(await answers(url, headers))) {
    if (ended) throw new CommandFailure(`${child.name} did not start: ${child.lastLine() || ended}${where}`)
    if (Date.now() > until)
      throw new CommandFailure(`${child.name} did not answer within ${patience / 1_000} s.${where}`)
    await pause(100)
  }
}

/** The desk's own secrets, which the embedded service has no use for. */
const notForService = [
  'NEXTAUTH_SECRET',
  'NEXTAUTH_SECRET_PREVIOUS',
  'ACTIVITY_KEY',
  'DEMO_SIGN_INS',
  'DESK_ADMIN_PASSWORD',
  'DATABASE_URL',
  'UPSTREAM_TOKEN',
  'UPSTREAM_CLIENT_SECRET',
]

function serviceEnvironment(env) {
  const kept = Object.entries(env).filter(([name]) => !notForService.includes(name))
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' }
}

/** Starts the embedded direct-debit service and waits until it answers. Answers the child. */
export async function startService({ settings, env, token, live = false, children }) {
  const log = new LogFile(settings.DATA_DIR, 'service')
  const child = startChild({
    name: 'The embedded service',
    args: ['scripts/run-program.mjs', 'service/serve.ts'],
    env: serviceEnvironment({ ...env, SERVICE_TOKEN: token }),
    log,
    live,
  })
  children.push(child)
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
  await waitUntilReady(child, `http://127.0.0.1:${settings.SERVICE_PORT}/`, { headers, log })
  return child
}

/**
 * Starts the desk (for development when `isDevelopment` says so) and waits until it answers. With `inspectPort` its
 * process can be inspected there, on 127.0.0.1.
 */
export async function startDesk({ settings, env, isDevelopment = false, live = false, inspectPort, children }) {
  const log = new LogFile(settings.DATA_DIR, 'desk')
  const child = startChild({
    name: 'The desk',
    // Pages of rows come and go with each request: with room for them they never reach the old heap.
    args: [
      '--max-semi-space-size=64',
      ...(inspectPort ? [`--inspect=127.0.0.1:${inspectPort}`] : []),
      await bundleProgram('lib/server/http/serve-desk.ts'),
    ],
    env: { ...env, NODE_ENV: isDevelopment ? 'development' : 'production' },
    log,
    live,
  })
  children.push(child)
  await waitUntilReady(child, `http://127.0.0.1:${settings.PORT}/api/health`, { log })
  return child
}
