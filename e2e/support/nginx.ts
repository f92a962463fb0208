import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Debian's package nginx-light or another nginx; not among our packages. */
export const hasNginx = spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0

/** docs/deploy/nginx.conf with the addresses of a test in place of those of the example. */
function adapt(folder: string, desks: readonly number[], https: number, http: number): string {
  const servers = desks.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n    ')
  return readFileSync('docs/deploy/nginx.conf', 'utf8')
    .replace(/server desk-1:3000 max_fails=0;\n\s*server desk-2:3000 max_fails=0;/u, servers)
    .replace('listen 80 default_server;', `listen 127.0.0.1:${http} default_server;`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`)
    .replaceAll('/etc/nginx/certificates', folder)
    .replace('/run/nginx.pid', join(folder, 'nginx.pid'))
    .replace('/dev/stdout', join(folder, 'access.log'))
    .replace('/dev/stderr', join(folder, 'error.log'))
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)])
    .catch(() => false)
    .finally(() => socket.destroy())
}

/** Starts nginx with the example's settings in front of desks at ports of this machine. `certificate` is its path. */
export async function startNginx(ports: {
  desks: readonly number[]
  https: number
  http: number
}): Promise<{ certificate: string; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-nginx-'))
  const command =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
  execFileSync('openssl', [...command.split(' '), '-keyout', 'desk.key', '-out', 'desk.pem'], {
    cwd: folder,
    stdio: 'pipe',
  })
  const settings = join(folder, 'nginx.conf')
  writeFileSync(settings, adapt(folder, ports.desks, ports.https, ports.http))
  const child = spawn('nginx', ['-c', settings, '-g', 'daemon off;'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  for (let tries = 0; !(await isListening(ports.https)); tries += 1) {
    if (tries > 200 || child.exitCode !== null) throw new Error('nginx did not start')
    await wait(50)
  }
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { certificate: join(folder, 'desk.pem'), close }
}
