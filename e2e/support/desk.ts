import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { findFreePort } from '@/lib/database/testing/find-free-port'

/** Creates a temporary data folder. */
export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'debitdesk-e2e-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

const migrations = {
  desk: join(process.cwd(), 'lib/server/store/migrations'),
  service: join(process.cwd(), 'service/store/migrations'),
}

/** Copies an empty migrated database of each program into a new data folder, which is much faster than creating one. */
export async function prepareData(dataDir: string, programs: readonly (keyof typeof migrations)[]): Promise<void> {
  for (const program of programs) {
    const folder = join(dataDir, program)
    if (!existsSync(folder)) await copyMigratedFolder(folder, migrations[program])
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The only environment variables passed on: settings of the person running the tests must not reach the desks. */
const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'DIST_DIR', 'PSEUDO_LOCALE']

export type RunningCommand = {
  /** The output so far, both streams. */
  output: () => string
  /** Resolves with the exit code once it has ended. */
  exited: Promise<number | null>
  send: (signal: NodeJS.Signals) => void
  /** Sends SIGTERM and resolves with the exit code. */
  stop: () => Promise<number | null>
}

/** Starts `scripts/<name>.ts` as `npm run` would and waits until its output contains `ready`. */
export async function startCommand(
  name: string,
  settings: Record<string, string>,
  ready: string,
): Promise<RunningCommand> {
  const env = Object.fromEntries(inherited.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])))
  const options = {
    NODE_OPTIONS: `--import=${new URL('../../scripts/support/compile-wasm-once.mjs', import.meta.url)}`,
  }
  const child = spawn(process.execPath, ['scripts/run.mjs', name], {
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

export type Service = { url: string; token: string; dataDir: string; command: RunningCommand }

/** Starts only the direct-debit service, as `npm run service` does. */
export async function startService(dataDir: string, settings: Record<string, string> = {}): Promise<Service> {
  await prepareData(dataDir, ['service'])
  const port = String(await findFreePort())
  const command = await startCommand('service', { DATA_DIR: dataDir, SERVICE_PORT: port, ...settings }, 'Press Ctrl-C')
  const token = /^token {2}(\S+)$/mu.exec(command.output())?.[1]
  if (!token) throw new Error(`npm run service printed no token:\n${command.output()}`)
  return { url: `http://127.0.0.1:${port}`, token, dataDir, command }
}

export type Role = 'admin' | 'support' | 'viewer'
export type SignIn = { email: string; password: string }

export type DeskInfo = {
  url: string
  dataDir: string
  /** The demo sign-ins printed by `npm start`; none if the desk uses another service. */
  signIns: Partial<Record<Role, SignIn>>
}

export type Desk = DeskInfo & {
  command: RunningCommand
  /** Sends SIGKILL to the desk's own process; the command and the service go on for a moment. */
  kill: () => Promise<void>
}

function readSignIns(output: string): DeskInfo['signIns'] {
  const lines = output.matchAll(/^(admin|support|viewer) {2}(\S+) {2}(\S+)$/gmu)
  return Object.fromEntries(Array.from(lines, ([, role, email, password]) => [role, { email, password }]))
}

/** The sign-in of a role; throws if the desk printed none. */
export function signInOf({ signIns }: DeskInfo, role: Role): SignIn {
  const found = signIns[role]
  if (!found) throw new Error(`npm start printed no sign-in for ${role}`)
  return found
}

/**
 * Starts a desk with the program of `npm start` on free ports with its data in `dataDir`. A new folder gets empty migrated
 * databases first, unless the test needs a genuine first start (`fromNothing`).
 */
export async function startDesk(
  dataDir: string,
  settings: Record<string, string> = {},
  { fromNothing = false } = {},
): Promise<Desk> {
  if (!fromNothing) await prepareData(dataDir, settings.UPSTREAM_URL ? ['desk'] : ['desk', 'service'])
  const port = settings.PORT ?? String(await findFreePort())
  const servicePort = settings.SERVICE_PORT ?? String(await findFreePort())
  const given = { DATA_DIR: dataDir, PORT: port, SERVICE_PORT: servicePort, ...settings }
  const command = await startCommand('start', given, 'Press Ctrl-C')
  const url = /^Debitdesk is ready: (\S+)$/mu.exec(command.output())?.[1]
  if (!url) throw new Error(`npm start printed no address:\n${command.output()}`)
  return {
    url,
    dataDir,
    command,
    signIns: readSignIns(command.output()),
    kill: async () => {
      // The lock of the desk's store contains its process id.
      const lock = await readFile(`${dataDir}/desk/debitdesk.lock`, 'utf8')
      process.kill(Number.parseInt(lock, 10), 'SIGKILL')
      await command.exited
    },
  }
}
