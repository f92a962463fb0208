import { randomUUID } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { peerHeader } from '@/lib/server/runtime/peer-address'
import { flushSecurityLog } from '@/lib/server/runtime/security-log'
import { POST } from './route'

const origin = 'http://127.0.0.1:3000'
const secret = 'a secret for tests that is long enough'
const report = {
  'document-uri': `${origin}/payments?q=Ann%20Canary`,
  referrer: 'https://canary.test/',
  'effective-directive': 'script-src-elem',
  'blocked-uri': 'https://evil.test/canary.js?canary',
  'original-policy': 'canary',
  'script-sample': 'canary()',
}

let lines: string[] = []

beforeAll(() => {
  process.env.NEXTAUTH_URL = origin
  process.env.NEXTAUTH_SECRET = secret
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
})
beforeEach(() => {
  flushSecurityLog()
  lines = []
})

async function send(body: string, headers: Record<string, string> = {}): Promise<number> {
  const request = new Request(`${origin}/api/policy-reports`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/csp-report', origin, 'sec-fetch-site': 'same-origin', ...headers },
  })
  return (await POST(request, { params: Promise.resolve({}) })).status
}

const violations = () =>
  lines.map((line) => JSON.parse(line)).filter(({ event }: { event?: string }) => event === 'policy-violation')

describe('a report of what a policy kept out (XS-05)', () => {
  it('is a line of the log that names where it led, and nothing of what stood there', async () => {
    expect(await send(JSON.stringify({ 'csp-report': report }))).toBe(204)
    expect(violations()).toMatchObject([
      { directive: 'script-src-elem', blocked: 'https://evil.test', path: '/payments' },
    ])
    expect(lines.join('').toLowerCase()).not.toContain('canary')
  })

  it('may name a word in place of an address, and the directive of older browsers', async () => {
    const older = { 'violated-directive': "script-src-attr 'self'", 'blocked-uri': 'inline' }
    expect(await send(JSON.stringify({ 'csp-report': older }))).toBe(204)
    expect(violations()).toMatchObject([{ directive: 'script-src-attr', blocked: 'inline', path: '?' }])
  })

  it('may hold anything, for anybody may write one', async () => {
    const forged = { 'effective-directive': '"}\n{"event":"x', 'blocked-uri': 'a b', 'document-uri': 7 }
    expect(await send(JSON.stringify({ 'csp-report': forged }))).toBe(204)
    expect(violations()).toMatchObject([{ directive: '?', blocked: '?', path: '?' }])
  })

  it.each([
    ['of another kind', 415, '{}', { 'content-type': 'text/plain' }],
    ['no JSON', 400, 'x', {}],
    ['no report', 400, '[]', {}],
    ['too long', 413, JSON.stringify({ 'csp-report': { ...report, more: 'x'.repeat(20_000) } }), {}],
    ['from another site', 403, JSON.stringify({ 'csp-report': report }), { origin: 'https://evil.test' }],
  ])('is refused when it is %s', async (_, status, body, headers) => {
    expect(await send(body, headers)).toBe(status)
    expect(violations()).toEqual([])
  })

  it('of somebody who is signed in finds room, however many addresses a stranger has, and has bounds of its own', async () => {
    const text = JSON.stringify({ 'csp-report': report })
    const peers = Array.from({ length: 40 * 10 }, (_, at) => `203.0.113.${at % 40}`)
    const flood = await Promise.all(peers.map((peer) => send(text, { [peerHeader]: peer })))
    expect(flood.filter((status) => status === 204)).toHaveLength(200)
    const token = await encode({ secret, token: { sub: randomUUID(), sid: randomUUID() } })
    const cookie = (value: string) => ({ cookie: `next-auth.session-token=${value}` })
    expect(await send(text, cookie('made up'))).toBe(429)
    const own = await Promise.all(Array.from({ length: 12 }, () => send(text, cookie(token))))
    expect(own.filter((status) => status === 204)).toHaveLength(10)
    expect(violations().filter(({ from }) => from === 'people')).toHaveLength(10)
  })

  it('does not flood the log, and one peer who sends many keeps out nobody else’s', async () => {
    const text = JSON.stringify({ 'csp-report': report })
    const flood = await Promise.all(Array.from({ length: 500 }, () => send(text, { [peerHeader]: '203.0.113.9' })))
    expect(flood.filter((status) => status === 204)).toHaveLength(10)
    expect(await send(text, { [peerHeader]: '198.51.100.4' })).toBe(204)
    expect(violations()).toHaveLength(11)
    const networks = Array.from({ length: 600 }, (_, at) => `2001:db8:0:${(at % 60).toString(16)}::${at}`)
    const wide = await Promise.all(networks.map((peer) => send(text, { [peerHeader]: peer })))
    expect(wide.filter((status) => status === 204)).toHaveLength(200 - 11)
    flushSecurityLog()
    const summed = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'repeated')
    expect(summed).toMatchObject([
      { stream: 'security', what: 'policy-violation', count: 490 + 600 - 189, peers: { '203.0.113.9': 490 } },
    ])
  })
})
