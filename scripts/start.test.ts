import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `npm start`'s program, which is expected to fail. Returns its exit code and the lines on stderr. */
function refuse(environment: Record<string, string>): Promise<{ code: unknown; lines: string[] }> {
  const { PATH, HOME } = process.env
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'production', PATH, HOME, DATA_DIR: folder, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/run.mjs', 'start'], { env, timeout: 30_000 }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, lines: stderr.trim().split('\n') }),
    )
  })
}

function listen(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port'))
      else resolve({ server, port: address.port })
    })
  })
}

/** The default ports may be in use on this machine. */
async function findFreePort() {
  const { server, port } = await listen()
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

describe('npm start refuses with one clear line', () => {
  test.each([
    ['a wrong port', { PORT: 'three' }, 'Setting PORT '],
    ['a wrong address', { UPSTREAM_URL: 'ftp://example.test', UPSTREAM_AUTH: 'none' }, 'Setting UPSTREAM_URL '],
    ['a missing token', { UPSTREAM_URL: 'https://service.example' }, 'Setting UPSTREAM_TOKEN '],
    ['one port for both', { PORT: '3171', SERVICE_PORT: '3171' }, 'Setting SERVICE_PORT '],
    [
      'a public address without a secret',
      { NEXTAUTH_URL: 'https://desk.example', TRUSTED_PROXIES: '1' },
      'Setting NEXTAUTH_SECRET ',
    ],
    [
      'a public address without a word on the proxy before it',
      { NEXTAUTH_URL: 'https://desk.example', NEXTAUTH_SECRET: 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e' },
      'Setting TRUSTED_PROXIES is needed beside a public https NEXTAUTH_URL',
    ],
    ['a short secret (SC-05)', { NEXTAUTH_SECRET: 'short' }, 'Setting NEXTAUTH_SECRET '],
    [
      'a secret from a sample (SC-05)',
      { NEXTAUTH_SECRET: 'change-me-please-32-characters-long!' },
      'Setting NEXTAUTH_SECRET ',
    ],
    ['a folder that cannot be written', { DATA_DIR: '/dev/null/data' }, 'DATA_DIR /dev/null/data '],
    ['a port that browsers refuse', { PORT: '6000' }, 'Port 6000 '],
  ])('%s', async (_name, environment, beginning) => {
    const { code, lines } = await refuse(environment)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(beginning)
    expect(code).toBe(1)
  })

  test('one line for each thing that a desk must not be without where others reach it', async () => {
    const { code, lines } = await refuse({ HOST: '0.0.0.0' })
    expect(lines).toEqual([
      expect.stringMatching(/^Setting NEXTAUTH_SECRET is needed with HOST=0\.0\.0\.0/u),
      expect.stringMatching(/^Setting NEXTAUTH_URL must be the public https address/u),
      expect.stringMatching(/^Setting TRUSTED_PROXIES is needed with HOST/u),
      expect.stringMatching(/^Setting UPSTREAM_URL is needed .* demo sign-ins/u),
    ])
    expect(code).toBe(1)
  })

  test('an address that is not on this machine', async () => {
    // Of a network that is for documents alone (RFC 5737).
    const open = { NEXTAUTH_URL: 'https://desk.example', TRUSTED_PROXIES: '1', UPSTREAM_AUTH: 'none' }
    const NEXTAUTH_SECRET = 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e'
    const given = { ...open, NEXTAUTH_SECRET, UPSTREAM_URL: 'https://service.example', HOST: '192.0.2.7' }
    const { lines } = await refuse({ ...given, PORT: await findFreePort() })
    expect(lines).toEqual(['Setting HOST must be an address of this machine; 192.0.2.7 is none.'])
  })

  test('a wrong value in the file of settings', async () => {
    const path = join(folder, 'desk.yaml')
    writeFileSync(path, '# ports\nPORT: three\n')
    const { code, lines } = await refuse({ DEBITDESK_CONFIG: path })
    expect(lines).toEqual([`Setting PORT (${path}, line 2) must be a whole number.`])
    expect(code).toBe(1)
  })

  test('one line for each of two wrong settings, without their values', async () => {
    const { lines } = await refuse({ SERVICE_TOKEN: 'too-short', SCHEME_ZONE: 'Mars/Olympus' })
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toMatch(/too-short|Olympus/u)
  })

  test.each(['PORT', 'SERVICE_PORT'])('a %s that is taken', async (setting) => {
    const { server, port } = await listen()
    const others = { PORT: await findFreePort(), SERVICE_PORT: await findFreePort() }
    const { code, lines } = await refuse({ ...others, [setting]: String(port) })
    server.close()
    expect(lines).toEqual([`Port ${port} is taken by another program: set ${setting} to another one.`])
    expect(code).toBe(1)
  })
})
