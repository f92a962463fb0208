import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-missing-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(args: string[], environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test' as const, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: `${stdout}${stderr}` }),
    )
  })
}

const NEXTAUTH_SECRET = 'canary secret for tests, long enough'

describe('a command that asks for what a store holds, with a mistyped DATA_DIR', () => {
  it.each<[name: string, code: number, args: string[]]>([
    ['verify-activity', 2, []],
    ['reseal', 2, []],
    ['person', 1, ['show', '--name', 'Ann']],
    ['user', 1, ['list']],
    ['user', 1, ['disable', 'ann@shop.example']],
  ])('%s says so, and makes nothing', async (name, code, args) => {
    const DATA_DIR = join(folder, 'mistyped')
    const ended = await run(['scripts/run.mjs', 'program', name, ...args], { DATA_DIR, NEXTAUTH_SECRET })
    expect(ended).toEqual({ code, said: `There is no store in ${DATA_DIR}/desk: name its folder as DATA_DIR.\n` })
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it('makes no secret that would open nothing', async () => {
    const DATA_DIR = join(folder, 'mistyped')
    const ended = await run(['scripts/run.mjs', 'program', 'reseal'], { DATA_DIR })
    const said = `Setting NEXTAUTH_SECRET is needed: DATA_DIR ${DATA_DIR} has no generated one.\n`
    expect(ended).toEqual({ code: 2, said })
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it.each([
    ['whose secrets cannot be read', { DATA_DIR: '/dev/null' }, '/dev/null/secrets.json cannot be read (ENOTDIR).\n'],
    ['with a refused setting', { NEXTAUTH_SECRET: 'short' }, 'Setting NEXTAUTH_SECRET '],
  ])('reseal could not be done on one %s', async (_, environment, beginning) => {
    const { code, said } = await run(['scripts/run.mjs', 'program', 'reseal'], environment)
    expect(said.slice(0, beginning.length)).toBe(beginning)
    expect(code).toBe(2)
  })
})

describe('a command with a DATABASE_URL whose password is not encoded', () => {
  it.each([
    ['backup', ['/nowhere']],
    ['migrate', []],
    ['user', ['list']],
    ['person', ['show', '--name', 'Ann']],
  ])('%s names the rule, never the value or its usage', async (name, args) => {
    const DATABASE_URL = 'postgres://desk:can/ary@127.0.0.1/desk'
    const { code, said } = await run(['scripts/run.mjs', 'program', name, ...args], { DATABASE_URL, NEXTAUTH_SECRET })
    expect(said).toMatch(/^Setting DATABASE_URL must be such as postgres:.*percent-encoded\.\n$/u)
    expect(said).not.toContain('ary@')
    expect(code).toBe(1)
  })
})

describe('the command line', () => {
  const commands = [
    'user',
    'person',
    'reseal',
    'migrate',
    'move-store',
    'backup',
    'restore',
    'verify-activity',
    'doctor',
  ]

  it.each(commands)('%s tells its usage, and does nothing, for --help', async (name) => {
    const DATA_DIR = join(folder, 'mistyped')
    const { code, said } = await run(['scripts/run.mjs', 'program', name, '--help'], { DATA_DIR })
    expect([code, said]).toEqual([0, expect.stringMatching(new RegExp(`^(?:Usage: )?npm run ${name}\\b`, 'u'))])
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it.each([
    ['reseal', ['word'], 2, "Unexpected argument 'word'"],
    ['person', ['erase', '--name', 'Ann'], 1, 'To erase, --yes is needed.'],
    ['user', ['list', 'extra'], 1, 'extra is one word too many.'],
    ['backup', ['--nope'], 1, "Unknown option '--nope'"],
  ])('%s %j is refused with the reason', async (name, words, code, reason) => {
    const environment = { DATA_DIR: join(folder, 'mistyped'), NEXTAUTH_SECRET }
    const ended = await run(['scripts/run.mjs', 'program', name, ...words], environment)
    expect({ ...ended, said: ended.said.split('\n')[0] }).toEqual({ code, said: reason })
  })
})
