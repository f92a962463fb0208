import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { explainPassword } from './passwords'

const stolen = 'moss-covered lantern'
const hash = createHash('sha1').update(stolen).digest('hex').toUpperCase()
const owner = { email: 'ann@example.com', merchants: [], replaced: null }

let list: Server
let asked: { path: string | undefined; headers: IncomingHttpHeaders }[] = []
let answer: (response: ServerResponse) => void

const lines = (...some: string[]) => ['0018A45C4D1DEF81644B54AB7F969B88D65:1', ...some].join('\r\n')

beforeAll(async () => {
  list = createServer((request, response) => {
    asked.push({ path: request.url, headers: request.headers })
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(list, 'listening')
  const address = list.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  vi.stubEnv('BREACHED_PASSWORDS_URL', `http://127.0.0.1:${address.port}/range/`)
})
beforeEach(() => {
  asked = []
})
afterAll(() => {
  vi.unstubAllEnvs()
  list.closeAllConnections()
  list.close()
})

it('refuses a password of the list, which learns five digits of its hash and nothing else', async () => {
  answer = (response) => response.end(lines(`${hash.slice(5)}:42`))
  expect(await explainPassword(stolen, owner)).toMatch(/list of stolen passwords/u)
  expect(asked.map(({ path }) => path)).toEqual([`/range/${hash.slice(0, 5)}`])
  expect(asked[0]?.headers).toMatchObject({ 'add-padding': 'true', 'user-agent': 'debitdesk' })
  expect(JSON.stringify(asked).toUpperCase()).not.toContain(hash.slice(5))
})

it('takes one that the list does not hold, or holds as padding only', async () => {
  answer = (response) => response.end(lines(`${hash.slice(5)}:0`))
  expect(await explainPassword(stolen, owner)).toBe(null)
  answer = (response) => response.end(lines())
  expect(await explainPassword(stolen, owner)).toBe(null)
})

it.each<[what: string, reply: (response: ServerResponse) => void]>([
  ['broken', (response) => response.writeHead(503).end(`${hash.slice(5)}:42`)],
  ['gone', (response) => response.destroy()],
  ['elsewhere', (response) => response.writeHead(302, { location: '/range/other' }).end()],
  ['silent', () => undefined],
  ['endless', (response) => response.end('0'.repeat(2_000_000))],
])('takes it unchecked where the list is %s, and the log says so', async (_, reply) => {
  answer = reply
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await explainPassword(stolen, owner)).toBe(null)
    expect(written.mock.calls.flat().join('')).toContain('"event":"breached-passwords-not-asked"')
  } finally {
    written.mockRestore()
  }
  expect(asked.map(({ path }) => path)).toEqual([`/range/${hash.slice(0, 5)}`])
})

it('is not asked about what other rules refuse', async () => {
  expect(await explainPassword('Velkommen1', owner)).toMatch(/easy to guess/u)
  expect(asked).toEqual([])
})
