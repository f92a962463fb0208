import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { callEndpoint } from './call-endpoint'
import { serviceHandler } from './gateway'
import type { Session } from '../auth/session'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'

let service: FaultService
let release: () => void = () => undefined
let isHeld = Promise.resolve()
let underWay = 0
let most = 0

beforeAll(async () => {
  service = await startFaultService(async ({ path }) => {
    if (path.includes('quick')) return { body: '{"results":[],"hasMore":false}' }
    underWay += 1
    most = Math.max(most, underWay)
    await isHeld
    underWay -= 1
    return { body: '{"results":[],"hasMore":false}' }
  })
  Object.assign(process.env, {
    UPSTREAM_URL: service.url,
    UPSTREAM_TOKEN: 'a-token-for-tests',
    NEXTAUTH_URL: 'http://127.0.0.1:3000',
  })
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterEach(() => release())
afterAll(() => service.close())

const ask = (session: Session, query = '') =>
  serviceHandler('listPayments', async () => session)(
    new Request(`http://127.0.0.1:3000/api/service/Payments${query}`),
    { params: Promise.resolve(undefined) },
  )

it('keeps 50 reads of one person to eight at a time, refuses what does not fit in the line, and lets others through', async () => {
  isHeld = new Promise((resolve) => (release = resolve))
  const greedy = makeSession('viewer')
  const replies = Array.from({ length: 50 }, () => ask(greedy))
  const refused = await Promise.all(
    replies.slice(40).map(async (reply) => {
      const { status, headers } = await reply
      return [status, headers.get('retry-after'), (await (await reply).json()).detail]
    }),
  )
  const detail = 'You’re loading too much at once. Try again in a few seconds.'
  expect(refused).toEqual(Array.from({ length: 10 }, () => [429, '5', detail]))
  await vi.waitUntil(() => underWay === 8, { timeout: 10_000 })
  // Another user is answered meanwhile.
  expect((await ask(makeSession('viewer'), '?filter=quick')).status).toBe(200)
  expect(underWay).toBe(8)
  release()
  expect((await Promise.all(replies.slice(0, 40))).map(({ status }) => status)).toEqual(
    Array.from({ length: 40 }, () => 200),
  )
  expect(most).toBe(8)
  expect(globalThis.debitdeskReads?.size).toBe(0)
})

it('lets a read wait for its turn no longer than its own time, and sends nothing of it then', async () => {
  isHeld = new Promise((resolve) => (release = resolve))
  const session = makeSession('viewer')
  const held = Array.from({ length: 8 }, () => ask(session))
  await vi.waitUntil(() => underWay === 8, { timeout: 10_000 })
  const signal = AbortSignal.timeout(30)
  const waited = callEndpoint(session, 'listPayments', { query: { filter: 'quick aborted' }, signal })
  await expect(waited).rejects.toMatchObject({ code: 'upstream-timeout', evidence: { written: false } })
  // What is left of its ten seconds when its turn comes is all that it has.
  const now = performance.now.bind(performance)
  const late = callEndpoint(session, 'listPayments', { query: { filter: 'late' } })
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 9_900)
  const turn = Promise.all(held)
  release()
  isHeld = new Promise((resolve) => (release = resolve))
  await turn
  await expect(late).rejects.toMatchObject({ code: 'upstream-timeout', evidence: { written: true } })
  clock.mockRestore()
  expect(service.requests.some(({ path }) => path.includes('aborted'))).toBe(false)
})
