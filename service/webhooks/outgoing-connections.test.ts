import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkResolution } from './callback-policy'
import { openAgents, sendDelivery } from './send-delivery'

let trap: Server
let port: number
let connections = 0

beforeAll(async () => {
  trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '::')
  await once(trap, 'listening')
  const address = trap.address()
  port = typeof address === 'object' && address ? address.port : 0
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
    vi.stubEnv(name, `http://127.0.0.1:${port}`)
})
afterAll(() => {
  vi.unstubAllEnvs()
  trap.close()
})

const hidden = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['93.184.216.34', '127.0.0.1'],
  ['2606:2800:220:1::1', '::1'],
  ['127.0.0.1', '93.184.216.34'],
  ['64:ff9b::7f00:1'],
  [],
]

test('a name that is public when it is checked and something else at each of 1,000 connections reaches nothing', async () => {
  let lookups = 0
  // DNS rebinding: public on the first lookup, private afterwards.
  const resolve = async () => {
    lookups += 1
    return lookups % 2 === 1 ? ['93.184.216.34'] : (hidden[(lookups / 2) % hidden.length] ?? [])
  }
  const policy = { allowed: new Set<string>(), resolve }
  const agents = openAgents(policy)
  const url = `https://rebinding.example.com:${port}/hooks`
  const errors = new Set<string | null>()
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    expect(await checkResolution(policy, new URL(url))).toBe(true)
    const { signal } = new AbortController()
    const outgoing = { id: 'event', url, secrets: [], body: '{}', at: new Date(), signal }
    const { delivered, error } = await sendDelivery(agents.checked, outgoing)
    expect(delivered).toBe(false)
    errors.add(error)
  }
  await agents.close()
  expect(lookups).toBe(2_000)
  expect([...errors]).toEqual(['hidden-address'])
  expect(connections).toBe(0)
})

test('the trap would have been reached', async () => {
  const policy = { allowed: new Set<string>(), resolve: async () => ['127.0.0.1'] }
  const agents = openAgents(policy)
  const outgoing = { id: 'event', secrets: [], body: '{}', at: new Date(), signal: new AbortController().signal }
  await sendDelivery(agents.trusted, { ...outgoing, url: `http://127.0.0.1:${port}/` })
  await agents.close()
  expect(connections).toBe(1)
})
