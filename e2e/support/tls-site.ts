import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as send } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TlsSite = { origin: (host: string) => string; close: () => Promise<void> }

/** Certificates need openssl; Node cannot create them. */
export const canCertify = spawnSync('openssl', ['version']).status === 0

/** A temporary self-signed certificate; the tests' browser ignores certificate errors. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-tls-'))
  const command = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=shop.test'
  execFileSync('openssl', [...command.split(' '), '-keyout', 'own.key', '-out', 'own.pem'], {
    cwd: folder,
    stdio: 'pipe',
  })
  const files = { key: readFileSync(join(folder, 'own.key')), cert: readFileSync(join(folder, 'own.pem')) }
  rmSync(folder, { recursive: true })
  return files
}

/**
 * Starts a TLS server: under `name` it forwards everything to the desk at 127.0.0.1:`deskPort` like a reverse proxy; under
 * any other name it is another site, which serves `pages`.
 */
export async function startTls(name: string, deskPort: number, pages: Record<string, string>): Promise<TlsSite> {
  const server = createServer(makeCertificate(), (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    if (headers.host?.split(':')[0] !== name) {
      const page = pages[new URL(url, 'https://site.test').pathname]
      outgoing.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? '')
      return
    }
    const passed = send(
      { host: '127.0.0.1', port: deskPort, path: url, method, headers: { ...headers, 'x-forwarded-for': '192.0.2.7' } },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: (host) => `https://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
