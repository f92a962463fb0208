import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sendHttpRequest, type HttpRequest } from './http-request'
import { HiddenAddressError } from './public-lookup'
import { type FaultService, startFaultService } from '../testing/fault-service'

let service: FaultService

beforeAll(async () => {
  service = await startFaultService(() => ({ status: 202 }))
})
beforeEach(() => {
  service.requests.length = 0
})
afterAll(() => service.close())

function ask(changes: Partial<HttpRequest>): HttpRequest {
  const url = new URL('/Payments/1', service.url)
  return { url, method: 'DELETE', headers: {}, body: '{}', deadline: 5_000, limit: 1_000, ...changes }
}

const unwritten = { code: 'upstream-timeout', evidence: { written: false } }

it('writes nothing when it is no longer allowed to in the moment before the first byte (CX-18)', async () => {
  let asked = 0
  const mayStart = () => {
    asked += 1
    return false
  }
  await expect(sendHttpRequest(ask({ mayStart }))).rejects.toMatchObject(unwritten)
  expect(asked).toBe(1)
  expect(service.requests).toEqual([])
})

it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])(
  'writes nothing to the private address %s where it is guarded (WH-08)',
  async (host) => {
    const url = new URL(`http://${host}:${new URL(service.url).port}/Payments/1`)
    await expect(sendHttpRequest(ask({ url, isGuarded: true }))).rejects.toMatchObject({
      code: 'upstream-unreachable',
      evidence: { written: false },
      cause: expect.any(HiddenAddressError),
    })
    await expect(sendHttpRequest(ask({ url, isGuarded: true, confirm: async () => true }))).rejects.toMatchObject({
      code: 'upstream-unreachable',
      evidence: { written: false },
    })
    expect(service.requests).toEqual([])
  },
)

it('asks once its socket is open, and writes nothing where it is not confirmed', async () => {
  await expect(sendHttpRequest(ask({ confirm: async () => false }))).rejects.toMatchObject(unwritten)
  await expect(sendHttpRequest(ask({ confirm: () => Promise.reject(new Error('no store')) }))).rejects.toMatchObject(
    unwritten,
  )
  expect(service.requests).toEqual([])
  expect((await sendHttpRequest(ask({ confirm: async () => true }))).status).toBe(202)
  expect(service.requests).toHaveLength(1)
})

it('gives up a confirmation that does not come within the deadline', async () => {
  await expect(
    sendHttpRequest(ask({ deadline: 100, confirm: () => new Promise(() => undefined) })),
  ).rejects.toMatchObject(unwritten)
  expect(service.requests).toEqual([])
})

it('writes nothing when the process was held up past the deadline while it connected (CX-18)', async () => {
  // The socket is ready, and no timer of the process has run since.
  const mayStart = () => {
    const until = performance.now() + 80
    while (performance.now() < until);
    return true
  }
  const running = sendHttpRequest(ask({ deadline: 40 }))
  const until = performance.now() + 80
  while (performance.now() < until);
  await expect(running).rejects.toMatchObject(unwritten)
  expect((await sendHttpRequest(ask({ mayStart }))).status).toBe(202)
  expect(service.requests).toHaveLength(1)
})
