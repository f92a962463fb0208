import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './find-free-port'
import { within } from './within'

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)])
    .catch(() => false)
    .finally(() => socket.destroy())
}

/** Starts PgBouncer in front of a Postgres; returns its address for the same database. */
export async function startPgbouncer(
  url: string,
  mode: 'session' | 'transaction',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port: target, username, password } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const port = await findFreePort()
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${username}" "${password}"\n`)
  await writeFile(
    settings,
    `[databases]\n* = host=${hostname} port=${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\npool_mode = ${mode}\ndefault_pool_size = 20\n`,
  )
  // It refuses to run as root.
  const asRoot = process.getuid?.() === 0
  if (asRoot) for (const path of [folder, settings, users]) await chown(path, 65_534, 65_534)
  const child = spawn('pgbouncer', [settings], {
    stdio: 'ignore',
    ...(asRoot && { uid: 65_534, gid: 65_534 }),
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await within(20_000, 'PgBouncer to end', ended).finally(() => child.kill('SIGKILL'))
    await rm(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + 20_000
  while (!(await isListening(port))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('PgBouncer did not start')
    await wait(50)
  }
  const address = new URL(url)
  address.port = String(port)
  return { url: address.href, stop }
}
