import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inlineSettings, parseSettings, readAddress, SettingsError } from './settings'

const secret = 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e'
let folder: string
let files = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'setting-sources-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(text: string, end = '.yaml'): string {
  files += 1
  const path = join(folder, `${files}${end}`)
  writeFileSync(path, text)
  return path
}

function explain(environment: Record<string, string>): string {
  try {
    parseSettings(environment)
    return ''
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.join('\n').replaceAll(folder, '')
    throw error
  }
}

it('say where the desk listens, whatever has become of the others and of the files of secrets', () => {
  const DEBITDESK_CONFIG = write('PORT: 3100\nNEXTAUTH_SECRET_FILE: /nowhere\nKEEP_ALIVE: long\n')
  const METRICS_TOKEN_FILE = write('', '')
  expect(readAddress({ DEBITDESK_CONFIG, METRICS_TOKEN_FILE, HOST: '0.0.0.0' })).toEqual({
    HOST: '0.0.0.0',
    PORT: 3100,
  })
  expect(readAddress({})).toEqual({ HOST: '127.0.0.1', PORT: 3000 })
})

describe('the file of settings', () => {
  it.each([
    ['YAML', 'PORT: 3100 # the desk\nKEEP_ALIVE: 2m\nPASSWORDS: on\nHSTS_SUBDOMAINS: yes\n', '.yaml'],
    ['JSON', '{ "PORT": 3100, "KEEP_ALIVE": "2m", "PASSWORDS": "on", "HSTS_SUBDOMAINS": "yes" }', '.json'],
  ])('is %s', (_name, text, end) => {
    expect(parseSettings({ DEBITDESK_CONFIG: write(text, end) })).toMatchObject({
      PORT: 3100,
      KEEP_ALIVE: 120_000,
      PASSWORDS: 'on',
      HSTS_SUBDOMAINS: 'yes',
    })
  })

  it('may be empty, and a blank value counts as unset', () => {
    for (const text of ['', '# nothing yet\n', 'PORT:\nNEXTAUTH_SECRET: ""\n'])
      expect(parseSettings({ DEBITDESK_CONFIG: write(text) })).toEqual(parseSettings({}))
  })

  it('gives way to the environment', () => {
    const DEBITDESK_CONFIG = write('PORT: 3100\nSERVICE_PORT: 4100\n')
    expect(parseSettings({ DEBITDESK_CONFIG, PORT: '3200' })).toMatchObject({ PORT: 3200, SERVICE_PORT: 4100 })
    expect(parseSettings({ DEBITDESK_CONFIG, PORT: ' ' })).toMatchObject({ PORT: 3100 })
  })

  it('keeps every value as it is written', () => {
    const text = `UPSTREAM_TOKEN: 0123456789012345678901234567890\nDESK_ADMIN_EMAIL: ann@example.com\nDESK_ADMIN_PASSWORD: 00012345\n`
    expect(parseSettings({ DEBITDESK_CONFIG: write(text) })).toMatchObject({
      UPSTREAM_TOKEN: '0123456789012345678901234567890',
      DESK_ADMIN_PASSWORD: '00012345',
    })
  })

  it.each([
    ['an unknown key', 'PORT: 3000\nUPSTREAM_URI: https://x.example\n', 'UPSTREAM_URI (/N, line 2) does not exist'],
    ['a key of the start script', 'DEMO_SIGN_INS: "[]"\n', 'DEMO_SIGN_INS (/N, line 1) does not exist'],
    ['a wrong value', '\nPORT: three\n', 'PORT (/N, line 2) must be a whole number'],
    ['a list', 'PORT: [3000]\n', 'PORT (/N, line 1) must be a single value'],
    ['a reference', 'PORT: &a 3000\nSERVICE_PORT: *a\n', 'SERVICE_PORT (/N, line 2) must be a single value'],
    ['null', 'UPSTREAM_TOKEN: null\n', 'UPSTREAM_TOKEN (/N, line 1) must have a value: leave the line out'],
    ['a key twice', 'PORT: 3000\nPORT: 3001\n', 'DEBITDESK_CONFIG: /N, line 2, names a setting twice'],
    ['what is no YAML', 'PORT: "3000\n', 'DEBITDESK_CONFIG: /N, line 2, is not YAML or JSON (MISSING_CHAR)'],
    ['text alone', 'hello\n', 'DEBITDESK_CONFIG: /N must hold lines such as PORT: 3000'],
  ])('is refused with %s, by file, line and rule', (_name, text, problem) => {
    const path = write(text)
    expect(explain({ DEBITDESK_CONFIG: path })).toContain(problem.replace('/N', path.replace(folder, '')))
  })

  it('is refused where it cannot be read', () => {
    expect(explain({ DEBITDESK_CONFIG: join(folder, 'none.yaml') })).toBe('DEBITDESK_CONFIG: /none.yaml does not exist')
    expect(explain({ DEBITDESK_CONFIG: folder })).toBe('DEBITDESK_CONFIG:  is a folder')
  })

  it('shows none of its values', () => {
    const path = write('PORT: canary-port\nNEXTAUTH_SECRET: canary\nCANARY: canary-value\n')
    expect(explain({ DEBITDESK_CONFIG: path })).not.toContain('canary')
  })
})

describe('a secret from a file', () => {
  it('has its last line end removed', () => {
    for (const text of [secret, `${secret}\n`, `${secret}\r\n`])
      expect(parseSettings({ NEXTAUTH_SECRET_FILE: write(text, '') }).NEXTAUTH_SECRET).toBe(secret)
  })

  it('may be named in the file of settings, before which the environment comes', () => {
    const DEBITDESK_CONFIG = write(`NEXTAUTH_SECRET_FILE: ${write(secret, '')}\n`)
    expect(parseSettings({ DEBITDESK_CONFIG }).NEXTAUTH_SECRET).toBe(secret)
    const other = `${secret}-other`
    expect(parseSettings({ DEBITDESK_CONFIG, NEXTAUTH_SECRET: other }).NEXTAUTH_SECRET).toBe(other)
    expect(parseSettings({ DEBITDESK_CONFIG, NEXTAUTH_SECRET_FILE: write(other, '') }).NEXTAUTH_SECRET).toBe(other)
  })

  it.each([
    ['missing', () => join(folder, 'none'), 'NEXTAUTH_SECRET_FILE names a file that does not exist'],
    ['a folder', () => folder, 'NEXTAUTH_SECRET_FILE names a file that is a folder'],
    ['empty', () => write('\n', ''), 'NEXTAUTH_SECRET_FILE names a file that is empty'],
    ['of two lines', () => write(`${secret}\n${secret}`, ''), 'NEXTAUTH_SECRET_FILE names a file with more than one'],
    ['too short', () => write('canary', ''), 'NEXTAUTH_SECRET (from NEXTAUTH_SECRET_FILE) must have at least 32'],
  ])('is refused when it is %s, without its path or text', (_name, make, problem) => {
    const path = make()
    const line = explain({ NEXTAUTH_SECRET_FILE: path })
    expect(line).toContain(problem)
    expect(line).not.toMatch(/canary|\/none/u)
  })

  it('is refused beside the same secret', () => {
    const line = 'NEXTAUTH_SECRET_FILE and NEXTAUTH_SECRET are both set: unset one'
    expect(explain({ NEXTAUTH_SECRET: secret, NEXTAUTH_SECRET_FILE: write(secret, '') })).toBe(line)
  })

  it('is no way for what is no secret', () => {
    const DEBITDESK_CONFIG = write(`PORT_FILE: ${write('3000', '')}\n`)
    expect(explain({ DEBITDESK_CONFIG })).toContain('PORT_FILE (')
  })
})

it('all end up in the environment that children get, with no file named any more', () => {
  const environment: Record<string, string | undefined> = {
    PATH: '/bin',
    PORT: '3200',
    DEBITDESK_CONFIG: write('PORT: 3100\nSERVICE_PORT: 4100\n'),
    NEXTAUTH_SECRET_FILE: write(secret, ''),
  }
  inlineSettings(environment)
  expect(environment).toEqual({ PATH: '/bin', PORT: '3200', SERVICE_PORT: '4100', NEXTAUTH_SECRET: secret })
})

describe('a desk that others reach', () => {
  const open = {
    HOST: '0.0.0.0',
    NEXTAUTH_SECRET: secret,
    NEXTAUTH_URL: 'https://desk.example',
    TRUSTED_PROXIES: '1',
    UPSTREAM_URL: 'https://service.example',
    UPSTREAM_AUTH: 'none',
  }
  const demo = JSON.stringify([{ role: 'viewer', email: 'viewer@debitdesk.example', password: 'rafo-timu-keda' }])

  it.each(['0.0.0.0', '::', '192.0.2.7', '2001:db8::7'])('starts on %s with all it needs', (HOST) => {
    expect(parseSettings({ ...open, HOST }).HOST).toBe(HOST)
  })

  it.each([
    ['a generated secret', { NEXTAUTH_SECRET: '' }, 'NEXTAUTH_SECRET is needed with HOST=0.0.0.0'],
    ['plain http', { NEXTAUTH_URL: 'http://desk.example' }, 'NEXTAUTH_URL must be the public https address with HOST='],
    ['no public address', { NEXTAUTH_URL: '' }, 'NEXTAUTH_URL must be the public https address with HOST='],
    ['the embedded service', { UPSTREAM_URL: '' }, 'UPSTREAM_URL is needed with HOST=0.0.0.0: the embedded service'],
    ['demo sign-ins', { UPSTREAM_URL: '', DEMO_SIGN_INS: demo }, 'DEMO_SIGN_INS is for a desk on this machine alone'],
    [
      'a local https address and no word on its proxy',
      { NEXTAUTH_URL: 'https://localhost', TRUSTED_PROXIES: '' },
      'TRUSTED_PROXIES is needed',
    ],
  ])('does not start with %s', (_name, given, line) => {
    const lines = explain({ ...open, ...given }).split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(line)
  })

  it('is asked for nothing on loopback, and its address follows', () => {
    expect(parseSettings({}).NEXTAUTH_URL).toBe('http://127.0.0.1:3000')
    expect(parseSettings({ HOST: '127.0.0.2' }).NEXTAUTH_URL).toBe('http://127.0.0.2:3000')
    expect(parseSettings({ HOST: '::1', PORT: '3100' }).NEXTAUTH_URL).toBe('http://[::1]:3100')
    expect(parseSettings({ HOST: 'localhost' }).NEXTAUTH_URL).toBe('http://localhost:3000')
  })

  it.each(['desk.example', '10.0.0', 'fe80::1%eth0', '0.0.0.0:3000'])('does not take %s for an address', (HOST) => {
    expect(explain({ HOST })).toContain('HOST must be an address of this machine')
  })
})
