import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Settings of whoever runs the tests must not reach the desks that they start. */
const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'DIST_DIR']

export type RunningCommand = {
  /** Everything written so far, both streams. */
  output: () => string
  /** Resolves with the exit code once it has ended by itself or by a signal. */
  exited: Promise<number | null>
  send: (signal: NodeJS.Signals) => void
  /** SIGTERM, and the exit code that followed. */
  stop: () => Promise<number | null>
}

/** Starts `scripts/<name>.mjs` as `npm run` would and waits until its output holds `ready`. */
export async function startCommand(
  name: string,
  settings: Record<string, string>,
  ready: string,
): Promise<RunningCommand> {
  const env = Object.fromEntries(inherited.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])))
  const options = { NODE_OPTIONS: `--import=${new URL('../../scripts/run/compile-wasm-once.mjs', import.meta.url)}` }
  const child = spawn(process.execPath, [`scripts/${name}.mjs`], {
    cwd: root,
    env: { NODE_ENV: 'production', ...options, ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  const becameReady = new Promise<boolean>((resolve) => {
    const keep = (chunk: string) => {
      output += chunk
      if (output.includes(ready)) resolve(true)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    void exited.then(() => resolve(false))
  })
  if (!(await becameReady)) throw new Error(`${name} ended before it was ready:\n${output}`)
  const send = (signal: NodeJS.Signals) => void child.kill(signal)
  const stop = () => {
    send('SIGTERM')
    return exited
  }
  return { output: () => output, exited, send, stop }
}
