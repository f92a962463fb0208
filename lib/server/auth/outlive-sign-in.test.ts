import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { syncMerchantWorkers } from '../runtime/merchant-workers'
import { resumeWaitingImports } from '../imports/worker'
import { connections } from '../store/schema'
import type { AuthClient } from '../testing/auth-fixture'
import { SessionDesk } from '../testing/session-desk'

let desk: SessionDesk

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  desk = await SessionDesk.start()
})
afterEach(() => {
  desk.service.requests.length = 0
})
afterAll(() => desk.close())

describe('a cancellation that outlives its owner’s sign-in', () => {
  const readOne = async (client: AuthClient) =>
    (await desk.ask(client, `/api/desk/cancellations?paymentId=${desk.payment.id}`)).json
      .cancellations[0] as CancellationView

  it('waits for the next sign-in, says so, and then comes to its end', async () => {
    const [ann, ben] = [await desk.signIn('ann'), await desk.signIn('ben')]
    const request = { key: randomUUID(), paymentId: desk.payment.id, reason: 'twice', seen: desk.payment.seen }
    const begun = await desk.ask(ann, '/api/desk/cancellations', request)
    expect(begun.json).toMatchObject({ outcome: 'requested' })
    await ann.signOut()
    await syncMerchantWorkers()
    desk.service.requests.length = 0
    desk.payment.status = 'Cancelled'
    const waiting = await readOne(ben)
    expect(waiting).toMatchObject({
      outcome: 'requested',
      closed: false,
      reason: 'owner-signed-out',
      detail: 'ann@example.com',
    })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await syncMerchantWorkers()
    // Nobody else's token is used for it.
    expect(desk.service.requests).toEqual([])
    expect((await readOne(ben)).closed).toBe(false)

    await desk.signIn('ann')
    await syncMerchantWorkers()
    await vi.waitFor(async () => expect(await readOne(ben)).toMatchObject({ outcome: 'cancelled', closed: true }), {
      timeout: 15_000,
      interval: 200,
    })
    expect(desk.sent('DELETE')).toEqual([])
  })
})

describe('a bulk that outlives its owner’s sign-in', () => {
  it('waits for the next sign-in, says so, and then cancels each of its payments once', async () => {
    const [ann, ben] = [await desk.signIn('ann'), await desk.signIn('ben')]
    const rows = [...desk.many.keys()].map((given) => ({ given, reason: null }))
    const bulkId: string = (await desk.ask(ann, '/api/desk/bulk', { kind: 'list', name: null, rows })).json.id
    const view = async () => (await desk.ask(ben, `/api/desk/bulk/${bulkId}`, undefined, { bulkId })).json
    // Her own access token also reads the list after the reply.
    await vi.waitFor(async () => expect(await view()).toMatchObject({ state: 'ready', count: 20 }), 10_000)
    const { count, digest, sums } = await view()
    const confirmed = { count, digest, sums, reason: 'twice' }
    expect((await desk.ask(ann, `/api/desk/bulk/${bulkId}/start`, confirmed, { bulkId })).status).toBe(202)
    await syncMerchantWorkers()
    await vi.waitFor(() => expect(desk.sent('DELETE').length).toBeGreaterThan(3), { timeout: 10_000, interval: 10 })
    await desk.signOut('ann')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await syncMerchantWorkers()
    const before = desk.sent('DELETE').length
    expect(before).toBeLessThan(20)
    expect(await view()).toMatchObject({ state: 'running', wait: { code: 'owner-signed-out' } })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(desk.sent('DELETE')).toHaveLength(before)

    await desk.signIn('ann')
    await syncMerchantWorkers()
    await vi.waitFor(async () => expect(await view()).toMatchObject({ state: 'finished', counts: { cancelled: 20 } }), {
      timeout: 20_000,
      interval: 200,
    })
    expect(new Set(desk.sent('DELETE')).size).toBe(20)
    expect(desk.sent('DELETE')).toHaveLength(20)
  })
})

describe('an import that outlives its owner’s sign-in', () => {
  it('waits for the next sign-in, says so, and then goes on by itself', async () => {
    const [ann, ben] = [await desk.signIn('ann'), await desk.signIn('ben')]
    const text = `Name\n${Array.from({ length: 12 }, (_, index) => `Customer ${index}`).join('\n')}`
    const begun = await desk.ask(ann, '/api/desk/imports', { fileName: 'c.csv', text, mapping: { name: 0 } })
    expect(begun.status).toBe(202)
    // All her sign-ins, including those of other tests.
    await desk.signOut('ann')
    const view = async () => (await desk.ask(ben, '/api/desk/imports')).json.imports[0]
    await vi.waitFor(
      async () => expect(await view()).toMatchObject({ state: 'held', problem: 'owner-signed-out' }),
      10_000,
    )
    const before = desk.sent('POST').length
    await resumeWaitingImports(desk.store.db)
    expect((await view()).state).toBe('held')

    await desk.signIn('ann')
    // Nothing goes on for a merchant that was removed meanwhile.
    const { db } = desk.store
    await db.update(connections).set({ removedAt: new Date() })
    await resumeWaitingImports(db)
    await db.update(connections).set({ removedAt: null })
    expect(await view()).toMatchObject({ state: 'held', problem: 'owner-signed-out' })
    await resumeWaitingImports(db)
    await vi.waitFor(async () => expect((await view()).state).toBe('done'), { timeout: 15_000, interval: 200 })
    expect(before).toBeLessThan(12)
    expect(desk.sent('POST')).toHaveLength(12)
  })
})
