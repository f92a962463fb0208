import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { GET } from '@/app/api/desk/sessions/route'
import type { OpenDatabase } from '@/lib/database/database'
import { peerHeader } from '@/lib/server/runtime/peer-address'
import { flushSecurityLog } from '@/lib/server/runtime/security-log'
import { testOrigin } from '@/lib/server/testing/auth-fixture'
import { setMemoryStore } from '@/lib/server/testing/store-fixture'

let store: OpenDatabase
let lines: Record<string, unknown>[] = []

beforeAll(async () => {
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(JSON.parse(String(line))) > 0)
  store = await setMemoryStore()
})
beforeEach(() => {
  flushSecurityLog()
  lines = []
})
afterAll(() => store.close())

async function ask(peer: string, headers: Record<string, string> = {}): Promise<number> {
  const request = new Request(`${testOrigin}/api/desk/sessions`, { headers: { [peerHeader]: peer, ...headers } })
  return (await GET(request, { params: Promise.resolve(undefined) })).status
}

it('has of all that strangers are refused one line of each kind a minute, and one with the count of the rest', async () => {
  for (let count = 0; count < 3_000; count += 1) await ask(`192.0.2.${count % 100}`)
  for (let count = 0; count < 500; count += 1) await ask('203.0.113.5', { 'sec-fetch-site': 'cross-site' })
  expect(lines).toMatchObject([
    { stream: 'security', event: 'denied', code: 'signed-out', path: '/api/desk/sessions', peer: '192.0.2.0' },
    { stream: 'security', event: 'denied', code: 'cross-origin', peer: '203.0.113.5' },
  ])
  flushSecurityLog()
  expect(lines.slice(2)).toMatchObject([
    { stream: 'security', event: 'repeated', what: 'signed-out of strangers', count: 2_999, seconds: 60 },
    { what: 'cross-origin of strangers', count: 499, peers: { '203.0.113.5': 499 }, otherPeers: 0 },
  ])
  expect(Object.keys(Object(lines[2]?.peers))).toHaveLength(10)
  expect(lines[2]?.otherPeers).toBe(2_999 - 10 * 30)
})
