import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pickLine } from './pick-line.mjs'
import { root } from './root.mjs'

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
