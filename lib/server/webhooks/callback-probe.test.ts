import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { probeAddress } from './callback-probe'

let trap: Server
let port: number
let connections = 0

beforeAll(async () => {
  trap = createServer((_, response) => response.end()).on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  port = (trap.address() as AddressInfo).port
})
beforeEach(() => {
  connections = 0
})
afterAll(() => {
  trap.closeAllConnections()
  trap.close()
})

it.each([['127.0.0.1'], ['[::ffff:127.0.0.1]'], ['2130706433'], ['0x7f.1'], ['127.1']])(
  'never connects to this machine written as %s',
  async (host) => {
    expect(await probeAddress(`http://${host}:${port}/`)).toEqual({ kind: 'hidden' })
    expect(connections).toBe(0)
  },
)

it.each([
  [['127.0.0.1']],
  [['93.184.216.34', '127.0.0.1']],
  [['127.0.0.1', '2606:2800:220:1::1']],
  [['::1']],
  [['10.0.0.1']],
  [['169.254.169.254']],
])('never connects to a name that leads to %j', async (addresses) => {
  expect(await probeAddress(`http://hooks.example.com:${port}/`, async () => addresses)).toEqual({ kind: 'hidden' })
  expect(connections).toBe(0)
})

it('asks the resolver once: what was checked is what is connected to', async () => {
  let asked = 0
  const rebinding = async () => {
    asked += 1
    return asked === 1 ? ['127.0.0.2'] : ['127.0.0.1']
  }
  expect(await probeAddress(`http://hooks.example.com:${port}/`, rebinding)).toEqual({ kind: 'hidden' })
  expect([asked, connections]).toEqual([1, 0])
})

it('says when a name cannot be found', async () => {
  const missing = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await probeAddress('https://nowhere.example.com/', missing)).toEqual({ kind: 'failed', why: 'name' })
})

it('speaks to no port of mail servers, shells and the like', async () => {
  expect(await probeAddress('https://example.com:25/', async () => ['127.0.0.1'])).toEqual({
    kind: 'failed',
    why: 'port',
  })
})
