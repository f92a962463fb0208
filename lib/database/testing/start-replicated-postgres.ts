import { execFile, spawnSync } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from './find-free-port'

/** Debian's package postgresql, or another with `pg_config` in the path; the embedded one has no pg_basebackup. */
const bin = (spawnSync('pg_config', ['--bindir']).stdout?.toString() ?? '').trim()
export const hasServer = bin !== '' && spawnSync(join(bin, 'postgres'), ['--version']).status === 0

const TIMEOUT_MS = 60_000

/** Postgres refuses to run as root. */
function findUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const read = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString())
  return { uid: read('-u'), gid: read('-g') }
}

/** A server in a folder of its own; `url` leads to it whether it runs or not. */
export class ReplicatedServer {
  readonly url: string

  constructor(
    readonly folder: string,
    readonly port: number,
    readonly user: ReturnType<typeof findUser>,
  ) {
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  async run(program: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(join(bin, program), args, { ...this.user, cwd: this.folder, timeout: TIMEOUT_MS })
  }

  start(): Promise<void> {
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100`
    return this.run('pg_ctl', '-D', this.folder, '-w', '-l', join(this.folder, 'log'), '-o', options, 'start')
  }

  /** Ends it as a power cut does, all of its processes. */
  async crash(): Promise<void> {
    const pid = Number.parseInt(await readFile(join(this.folder, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 'SIGQUIT')
    for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await wait(20)) {
      try {
        process.kill(pid, 0)
      } catch {
        return
      }
    }
    throw new Error('Postgres has not ended')
  }

  /** Makes a standby the primary. */
  promote(): Promise<void> {
    return this.run('pg_ctl', '-D', this.folder, '-w', 'promote')
  }

  async query(statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async stop(): Promise<void> {
    await this.run('pg_ctl', '-D', this.folder, '-w', '-m', 'immediate', 'stop').catch(() => undefined)
    await rm(this.folder, { recursive: true, force: true })
  }
}

async function makeServer(user: ReturnType<typeof findUser>): Promise<ReplicatedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'replicated-'))
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid)
  return new ReplicatedServer(folder, await findFreePort(), user)
}

/** Starts a primary and a standby that follows it; the primary waits for it if `isSynchronous`. */
export async function startReplicatedPostgres(
  isSynchronous: boolean,
): Promise<{ primary: ReplicatedServer; standby: ReplicatedServer; stop: () => Promise<void> }> {
  const user = findUser()
  const [primary, standby] = [await makeServer(user), await makeServer(user)]
  await primary.run('initdb', '-D', primary.folder, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8')
  await appendFile(join(primary.folder, 'postgresql.conf'), 'fsync = off\n')
  await primary.start()
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  await standby.run('pg_basebackup', '-d', source, '-D', standby.folder, '-R', '-C', '-S', 'standby', '-c', 'fast')
  await standby.start()
  if (isSynchronous) {
    await primary.query("alter system set synchronous_standby_names = 'standby'")
    await primary.query('select pg_reload_conf()')
  }
  const wanted = isSynchronous ? 'sync' : 'async'
  const isFollowing = async () =>
    (await primary.query('select sync_state from pg_stat_replication')).some(({ sync_state }) => sync_state === wanted)
  for (const until = Date.now() + TIMEOUT_MS; !(await isFollowing()); await wait(50))
    if (Date.now() > until) throw new Error('The standby does not follow')
  return {
    primary,
    standby,
    stop: async () => {
      await standby.stop()
      await primary.stop()
    },
  }
}
