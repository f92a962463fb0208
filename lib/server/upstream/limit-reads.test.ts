import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
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
