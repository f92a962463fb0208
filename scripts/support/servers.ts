import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { secretSettings } from '@/lib/server/runtime/setting-sources'
import { bundleProgram } from './bundle-program.mjs'
import { CommandError, pickErrorLine, root } from './command.mjs'
import { LogFile } from './log-file'
import type { StartSettings } from './settings'

/** Longer than the desk needs to finish pending work, behind a proxy 34 s (lib/server/runtime/stop.ts). */
const STOP_TIMEOUT_MS = 38_000
const preload = pathToFileURL(`${root}/scripts/support/end-with-parent.mjs`).href

export type Child = {
  name: string
  pid: number | undefined
  /** Resolves with a short reason once it has ended. */
  exited: Promise<string>
  isRunning: () => boolean
  /** SIGTERM, then SIGKILL after 38 s; resolves when it has ended. */
  stop: () => Promise<void>
  kill: () => void
  /** The most informative line of its stderr. */
  lastLine: () => string
}

type ChildOptions = {
  name: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  log?: LogFile
  live?: boolean
}

/**
 * Starts a long-running Node process that ends when this one does. Its output goes to `log`, and with `live` also to the
 * terminal.
 */
export function startChild({ name, args, env, log, live = false }: ChildOptions): Child {
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    cwd: root,
    env: { ...env, DEBITDESK_PARENT: String(process.pid) },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that Ctrl-C reaches only the parent, which stops the children in order.
    detached: process.platform !== 'win32',
  })
  let errors = ''
  const writeOutput = (chunk: Buffer, stream: NodeJS.WriteStream) => {
    log?.write(chunk, { isLog: stream === process.stdout })
    if (live) stream.write(chunk)
  }
  child.stdout.on('data', (chunk) => writeOutput(chunk, process.stdout))
  child.stderr.on('data', (chunk) => {
    writeOutput(chunk, process.stderr)
    // A slow start says why (lib/database/folder-lock.ts).
    if (!live) for (const [line] of String(chunk).matchAll(/^Waiting for .*$/gmu)) console.log(line)
    errors = (errors + chunk).slice(-4_000)
  })
  child.stdin.on('error', () => undefined)

  const exited = once(child, 'close').then(([code, signal]) => (signal ? `ended by ${signal}` : `exit code ${code}`))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const stop = async () => {
    if (isRunning()) child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(timer)
  }
  const kill = () => child.kill('SIGKILL')
  return { name, pid: child.pid, exited, isRunning, stop, kill, lastLine: () => pickErrorLine(errors) }
}

const REPEATED_SIGNAL_MS = 2_000

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP, or when npm, which started this process, has ended. `onAgain` is
 * called for a further signal. One within two seconds is the same request: a terminal sends Ctrl-C to every process of
 * its group, and npm forwards it again.
 */
function whenStopRequested(onAgain: () => void): Promise<'asked'> {
  let requestedAt = 0
  return new Promise((resolve) => {
    const requestStop = () => {
      if (requestedAt > 0 && Date.now() - requestedAt > REPEATED_SIGNAL_MS) onAgain()
      requestedAt ||= Date.now()
      resolve('asked')
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, requestStop)
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      // It has ended once: each further look would count as a further signal.
      clearInterval(watch)
      requestStop()
    }, 500).unref()
  })
}

/**
 * Runs a command's children: `start(children)` starts them and pushes each. On a stop request they are stopped in
 * reverse order. If one ends by itself or cannot be started, the others are stopped too and a CommandError names it.
 */
export async function superviseChildren(start: (children: Child[]) => Promise<void>): Promise<void> {
  // Files under DATA_DIR are private to their owner. Set only now, because a build contains no secrets.
  process.umask(0o077)
  const children: Child[] = []
  const stopRequested = whenStopRequested(() => children.forEach((child) => child.kill()))
  const startAndWatch = async () => {
    await start(children)
    const { child, reason } = await Promise.race(
      children.map((one) => one.exited.then((ending) => ({ child: one, reason: ending }))),
    )
    const line = child.lastLine()
    throw new CommandError(`${child.name} has ended by itself (${reason})${line ? `: ${line}` : '.'}`)
  }
  const running = startAndWatch()
  // After a stop request the end of a child is no error.
  void stopRequested.then(() => running.catch(() => undefined))
  try {
    await Promise.race([stopRequested, running])
  } finally {
    for (const child of children.toReversed()) await child.stop()
  }
}

/** A start that takes longer is said to. */
const SLOW_START_MS = 120_000

async function isReady(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(5_000) })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}

/**
 * Waits until `url` answers 2xx. Throws at once if the child ends, but never ends it: a migration that is cut short is rolled
 * back, and would begin anew at each start.
 */
export async function waitUntilReady(
  child: Child,
  url: string,
  {
    headers = {},
    log,
    slowAfter = SLOW_START_MS,
  }: { headers?: Record<string, string>; log?: LogFile; slowAfter?: number },
): Promise<void> {
  let ended = ''
  void child.exited.then((reason) => (ended = reason))
  const slowAt = Date.now() + slowAfter
  let isAnnounced = false
  const where = log ? ` Its log: ${log.path}` : ''
  while (!(await isReady(url, headers))) {
    if (ended) throw new CommandError(`${child.name} did not start: ${child.lastLine() || ended}${where}`)
    if (Date.now() > slowAt && !isAnnounced) {
      console.log(
        `${child.name} is still starting after ${slowAfter / 1_000} s: a large database may be migrated.${where}`,
      )
      isAnnounced = true
    }
    await pause(100)
  }
}

/** The desk's own secrets, which the embedded service does not need. */
const deskSecrets: string[] = ['DEMO_SIGN_INS', ...secretSettings.filter((name) => !name.startsWith('SERVICE_'))]

function serviceEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(env).filter(([name]) => !deskSecrets.includes(name))
  return { ...Object.fromEntries(entries), NODE_ENV: 'production' }
}

type StartOptions = {
  settings: StartSettings
  env: NodeJS.ProcessEnv
  live?: boolean
  /** The child is added to them as soon as it runs. */
  children: Child[]
}

/** Starts the embedded direct-debit service and waits until it is ready. */
export async function startService({
  settings,
  env,
  token,
  live = false,
  children,
}: StartOptions & { token: string }): Promise<Child> {
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
 * Starts the desk and waits until it is ready. With `inspectPort` Node's inspector listens on that port of 127.0.0.1.
 */
export async function startDesk({
  settings,
  env,
  isDevelopment = false,
  live = false,
  inspectPort,
  children,
}: StartOptions & { isDevelopment?: boolean; inspectPort?: number }): Promise<Child> {
  const log = new LogFile(settings.DATA_DIR, 'desk')
  const child = startChild({
    name: 'The desk',
    // A larger young generation, so that the rows of a request are not promoted to the old one.
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
  await waitUntilReady(child, `${settings.localOrigin}/api/health`, { log })
  return child
}
