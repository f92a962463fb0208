import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { countList, MAX_LISTS_PER_HOUR } from '@/lib/server/bulk-cancellations/prepare-bulk'
import { attempts, cancellations, defaultConnectionId, sessions } from '@/lib/server/store/schema'
import { bulkRows, bulks } from '@/lib/server/store/bulk-schema'
import { AuthClient, testOrigin } from '@/lib/server/testing/auth-fixture'
import { setMemoryStore } from '@/lib/server/testing/store-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '@/lib/server/testing/payment-ledger-service'
import { createUser } from '@/lib/server/auth/users'
import type { Role } from '@/lib/api-contract/permission'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { GET as readOne, POST as change } from './[bulkId]/route'
import { POST as decide } from './[bulkId]/approval/route'
import { POST as start } from './[bulkId]/start/route'
import { POST as make } from './route'

let service: PaymentLedgerService
let store: OpenDatabase
let cookie: string
const password = 'moss-covered lantern'

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startPaymentLedgerService()
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  store = await setMemoryStore()
  await createUser(store.db, { email: 'a@example.com', password, role: 'support', connectionId: defaultConnectionId })
  const visitor = new AuthClient()
  await visitor.signIn('a@example.com', password)
  cookie = visitor.cookieHeader
})
afterAll(async () => {
  await service.close()
  await store.close()
})

/** Signs in as somebody with the role, who sends what follows. */
async function become(role: Role): Promise<void> {
  const email = `${role}@example.com`
  await createUser(store.db, { email, password, role, connectionId: defaultConnectionId })
  const visitor = new AuthClient()
  await visitor.signIn(email, password)
  cookie = visitor.cookieHeader
}

const own = () => ({
  origin: testOrigin,
  'x-debitdesk': '1',
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  cookie,
})
const params = (bulkId: string) => ({ params: Promise.resolve({ bulkId }) })
const nowhere = { params: Promise.resolve({}) }

function post(path: string, body: string | ReadableStream): Request {
  const stream = typeof body === 'string' ? {} : { duplex: 'half' }
  return new Request(`${testOrigin}${path}`, { method: 'POST', headers: own(), body, ...stream })
}

/** A list of `count` ids, serialized as a browser would. */
function writeList(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => ({
    given: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    reason: null,
  }))
  return JSON.stringify({ kind: 'list', name: null, rows })
}

/** The same chunked, without a Content-Length. */
function inPieces(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + 65_536))
      at += 65_536
    },
  })
}

async function makeReady(ids: readonly string[]): Promise<BulkView> {
  const rows = ids.map((given) => ({ given, reason: null }))
  const answer = await make(post('/api/desk/bulk', JSON.stringify({ kind: 'list', name: null, rows })), nowhere)
  expect(answer.status).toBe(202)
  const { id }: BulkView = await answer.json()
  return vi.waitFor(
    async () => {
      const request = new Request(`${testOrigin}/api/desk/bulk/${id}`, { headers: own() })
      const view: BulkView = await (await readOne(request, params(id))).json()
      expect(view.state).toBe('ready')
      return view
    },
    { timeout: 30_000 },
  )
}

describe('a list that is too large', () => {
  it.each([
    ['of 2 MB', 30_000],
    ['of 12 MB', 190_000],
  ])(
    '%s is refused as a whole, with its length or in pieces without one, and nothing of it is kept (BK-04)',
    async (_, count) => {
      const text = writeList(count)
      for (const body of [text, inPieces(text)]) {
        const answer = await make(post('/api/desk/bulk', body), nowhere)
        expect(answer.status).toBe(413)
      }
      expect(await store.db.$count(bulks)).toBe(0)
      expect(await store.db.$count(bulkRows)).toBe(0)
    },
  )

  it('of one row too many is refused with the limit', async () => {
    const short = Array.from({ length: 10_001 }, (_, index) => ({ given: String(index), reason: null }))
    const answer = await make(
      post('/api/desk/bulk', JSON.stringify({ kind: 'list', name: null, rows: short })),
      nowhere,
    )
    expect(answer.status).toBe(400)
    expect(JSON.stringify(await answer.json())).toContain('at most 10000')
    expect(await store.db.$count(bulks)).toBe(0)
  })
})

it('a list that is asked for twice under one key is made once, for whoever asked', async () => {
  const key = randomUUID()
  const ask = (count = 2) => {
    const request = post('/api/desk/bulk', writeList(count))
    request.headers.set('idempotency-key', key)
    return make(request, nowhere)
  }
  const before = await store.db.$count(bulks)
  const answers = await Promise.all([ask(), ask()])
  const views: BulkView[] = await Promise.all(answers.map((answer) => answer.json()))
  expect(views.map(({ id }) => id)).toEqual([key, key])
  expect(await store.db.$count(bulks)).toBe(before + 1)
  const isOver = async () => expect(await store.db.$count(bulks, eq(bulks.state, 'preparing'))).toBe(0)
  await vi.waitFor(isOver, { timeout: 30_000 })
  const reused = await ask(3)
  expect([reused.status, await reused.json()]).toMatchObject([422, { type: expect.stringContaining('key-reused') }])
  await store.db.update(bulks).set({ userId: randomUUID() }).where(eq(bulks.id, key))
  expect((await ask()).status).toBe(409)
})

describe('starting a bulk', () => {
  it('wants a recent password, and what was confirmed to be what is kept', async () => {
    const payment = service.add()
    const view = await makeReady([payment.id])
    const given = { count: 1, digest: view.digest, sums: view.sums, reason: 'Ordered twice' }
    const send = (body: object) => start(post(`/api/desk/bulk/${view.id}/start`, JSON.stringify(body)), params(view.id))
    await store.db.update(sessions).set({ provenAt: new Date(Date.now() - 6 * 60_000) })
    const unproven = await send(given)
    expect([unproven.status, await unproven.json()]).toMatchObject([403, { type: expect.stringContaining('step-up') }])
    await store.db.update(sessions).set({ provenAt: new Date() })
    expect((await send({ ...given, digest: 'a'.repeat(64) })).status).toBe(409)
    expect((await send({ ...given, reason: ' ' })).status).toBe(400)
    expect(await store.db.$count(cancellations)).toBe(0)
    expect((await send(given)).status).toBe(202)
    expect(await store.db.$count(cancellations)).toBe(1)
  })
})

describe('the lists of one person', () => {
  const list = JSON.stringify({ kind: 'filter', filter: null, words: 'all' })

  it('are made two at a time, and so many in an hour: nobody else waits for a script of theirs', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make(post('/api/desk/bulk', list), nowhere)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2)
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(Array.from({ length: 6 }, () => '5'))
    await vi.waitFor(async () => expect((await make(post('/api/desk/bulk', list), nowhere)).status).toBe(202), 30_000)
  })

  it('count no repeat of one that is made', async () => {
    const key = randomUUID()
    const ask = () => {
      const request = post('/api/desk/bulk', list)
      request.headers.set('idempotency-key', key)
      return make(request, nowhere)
    }
    const used = () => store.db.select().from(attempts)
    await vi.waitFor(async () => expect((await ask()).status).toBe(202), 30_000)
    const before = await used()
    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(await used()).toEqual(before)
  })

  it('are no more than so many in an hour, counted in the store for all desks together', async () => {
    const { db } = store
    const begin = Date.now()
    const all = Array.from({ length: MAX_LISTS_PER_HOUR + 1 }, (_, made) => countList(db, 'somebody', begin + made))
    const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'too-many-attempts', evidence: { retryAfter: 3_600 } } }])
    await countList(db, 'another', begin)
    await countList(db, 'somebody', begin + 3_600_001 + MAX_LISTS_PER_HOUR)
  })
})

describe('support without bulk', () => {
  let before: string
  beforeAll(async () => {
    before = cookie
    await become('support-without-bulk')
  })
  afterAll(() => {
    cookie = before
  })

  const isForbidden = async (answer: Response) =>
    answer.status === 403 && (await answer.json()).type.endsWith('forbidden')

  it('makes no list of several payments, pasted or by filter', async () => {
    const rows = [1, 2].map((at) => ({ given: `payment-${at}`, reason: null }))
    const lists = await store.db.$count(bulks)
    for (const body of [
      { kind: 'list', name: null, rows },
      { kind: 'filter', filter: null, words: 'All' },
    ])
      expect(await isForbidden(await make(post('/api/desk/bulk', JSON.stringify(body)), nowhere))).toBe(true)
    expect(await store.db.$count(bulks)).toBe(lists)
  })

  it('neither starts, changes nor decides on one of several by somebody else', async () => {
    const mine = cookie
    cookie = before
    const { id, count, digest, sums } = await makeReady([service.add().id, service.add().id])
    cookie = mine
    const send = (path: string, body: object) => post(`/api/desk/bulk/${id}${path}`, JSON.stringify(body))
    expect(await isForbidden(await start(send('/start', { count, digest, sums, reason: 'No' }), params(id)))).toBe(true)
    expect(await isForbidden(await change(send('', { action: 'stop' }), params(id)))).toBe(true)
    const approve = { decision: 'approve', count, digest }
    expect(await isForbidden(await decide(send('/approval', approve), params(id)))).toBe(true)
    const decline = { decision: 'decline', note: 'No' }
    expect(await isForbidden(await decide(send('/approval', decline), params(id)))).toBe(true)
  })

  it('makes and starts a list of one, by which a second person is asked', async () => {
    const { id, count, digest, sums } = await makeReady([service.add().id])
    const body = JSON.stringify({ count, digest, sums, reason: 'Ordered twice' })
    expect((await start(post(`/api/desk/bulk/${id}/start`, body), params(id))).status).toBe(202)
  })
})
