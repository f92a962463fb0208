import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/* A deployment behind a private certificate authority: trust is configured for the process, never disabled. */

const run = promisify(execFile)
const script = 'lib/server/testing/processes/call-once.ts'

let folder: string
let server: Server
let port: number
let asked: number

function openssl(command: string): void {
  execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })
}

/** A temporary authority, and its certificate for 127.0.0.1. */
function makeCertificates(): void {
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  openssl(`req -x509 ${newKey} -days 2 -subj /CN=Authority -keyout ca.key -out ca.pem`)
  openssl(`req ${newKey} -subj /CN=deployment -addext subjectAltName=IP:127.0.0.1 -keyout own.key -out own.csr`)
  openssl('x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out own.pem')
  openssl('x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days -1 -copy_extensions copy -out old.pem')
}

/** Node alone cannot create certificates, so these tests need openssl. */
const canCertify = spawnSync('openssl', ['version']).status === 0

beforeAll(async () => {
  if (!canCertify) return
  folder = mkdtempSync(join(tmpdir(), 'private-ca-'))
  makeCertificates()
  const files = { key: readFileSync(join(folder, 'own.key')), cert: readFileSync(join(folder, 'own.pem')) }
  server = createServer(files, (_, response) => {
    asked += 1
    response.setHeader('content-type', 'application/json')
    response.end('{"results":[],"hasMore":false}')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(async () => {
  if (!canCertify) return
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** All output of a desk's process that calls the deployment. */
async function call(host: string, environment: Record<string, string>): Promise<unknown[]> {
  asked = 0
  const env = { ...process.env, UPSTREAM_URL: `https://${host}:${port}`, UPSTREAM_AUTH: 'none', ...environment }
  const args = ['scripts/run-program.mjs', script]
  const { stdout } = await run(process.execPath, args, { env })
  return stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

const distrusted = {
  code: 'upstream-unreachable',
  evidence: { written: false, detail: 'Its certificate isn’t trusted.' },
}

describe.skipIf(!canCertify)('a deployment behind a private authority', () => {
  it('is reached by a process that was told of the authority', async () => {
    const lines = await call('127.0.0.1', { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
    expect(lines).toEqual([{ status: 200 }])
  })

  it('is sent nothing by one that was not, and that is a security event (UP-02)', async () => {
    const [event, answer] = await call('127.0.0.1', {})
    expect(event).toMatchObject({
      event: 'security',
      kind: 'upstream-certificate',
      origin: `https://127.0.0.1:${port}`,
    })
    expect([answer, asked]).toEqual([distrusted, 0])
  })

  it('gets no secret where it gives out tokens, and that is a security event (UP-02)', async () => {
    const token = { UPSTREAM_TOKEN_URL: `https://127.0.0.1:${port}/token`, UPSTREAM_CLIENT_ID: 'desk' }
    const credential = { ...token, UPSTREAM_AUTH: 'client-credentials', UPSTREAM_CLIENT_SECRET: 'canary-secret' }
    const [event, answer] = await call('localhost', credential)
    expect(event).toMatchObject({
      event: 'security',
      kind: 'upstream-certificate',
      origin: `https://127.0.0.1:${port}`,
    })
    expect([answer, asked]).toMatchObject([{ code: 'upstream-unreachable', evidence: { written: false } }, 0])
    expect(JSON.stringify(event)).not.toContain('canary')
  })

  it('is sent nothing under a name that is not in its certificate (UP-02)', async () => {
    const [event, answer] = await call('localhost', { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
    expect(event).toMatchObject({ event: 'security', kind: 'upstream-certificate' })
    expect([answer, asked]).toEqual([distrusted, 0])
  })

  it('is sent nothing once its certificate has expired (UP-02)', async () => {
    const files = { key: readFileSync(join(folder, 'own.key')), cert: readFileSync(join(folder, 'old.pem')) }
    server.setSecureContext(files)
    const [event, answer] = await call('127.0.0.1', { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
    server.setSecureContext({ ...files, cert: readFileSync(join(folder, 'own.pem')) })
    expect(event).toMatchObject({ event: 'security', kind: 'upstream-certificate', code: 'CERT_HAS_EXPIRED' })
    expect([answer, asked]).toEqual([distrusted, 0])
  })

  it('is verified even where Node was told not to', async () => {
    const lines = await call('127.0.0.1', { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' })
    expect([lines.at(-1), asked]).toEqual([distrusted, 0])
  })
})

describe('the sources', () => {
  it('hold no switch that turns verification off', () => {
    const files = ['app', 'lib', 'scripts', 'service'].flatMap((top) =>
      readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
    )
    const shipped = files.filter((path) => /\.(?:ts|tsx|mjs)$/u.test(path) && !/\.test\./u.test(path))
    const wrong = shipped.filter((path) =>
      /rejectUnauthorized\s*:(?!\s*true\b)|checkServerIdentity|TLS_REJECT_UNAUTHORIZED['"]?\]?\s*[:=]|--insecure/u.test(
        readFileSync(path, 'utf8'),
      ),
    )
    expect(wrong).toEqual([])
  })
})
