import { setTimeout as wait } from 'node:timers/promises'
import { eq, isNull } from 'drizzle-orm'
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { PostgresProxy } from '@/lib/database/testing/postgres-proxy'
import { hasServer, startReplicatedPostgres } from '@/lib/database/testing/start-replicated-postgres'
import { verifyChain } from '../activity-log/hash-chain'
import { requestCancellation } from '../cancellations/request-cancellation'
import { runWorker } from '../cancellations/worker'
import { askFor } from '../testing/ledger-fixture'
import {
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from '../testing/payment-ledger-service'
import { makeActor, makeTestLedger } from '../testing/test-ledger'
import { cancellations, connections, defaultConnectionId } from './schema'
import { storeMigrations } from './store'

/* What the loss of a server means for cancellations, where the store is a primary with one standby. */

let service: PaymentLedgerService
let closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  service = await startPaymentLedgerService()
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close().catch(() => undefined)
  closers = []
  service.mend()
})
afterAll(() => service.close())

/** A store that is reached at an address which can be led to the standby. */
async function start(isSynchronous: boolean) {
  const servers = await startReplicatedPostgres(isSynchronous)
  closers.push(servers.stop)
  const proxy = await PostgresProxy.start(servers.primary.url)
  closers.push(() => proxy.close())
  const store = await openDatabase({ url: proxy.url, migrationsFolder: storeMigrations })
  closers.push(() => store.close())
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Shop' })
  return { ...servers, proxy, store, ledger: makeTestLedger(store, service.url, { rules: { leaseMs: 6_000 } }) }
}

const deletesOf = ({ id }: ServicePayment) => service.deletes.filter(({ paymentId }) => paymentId === id)

const stateOf = async ({ db }: OpenDatabase, { id }: ServicePayment) =>
  (await db.select().from(cancellations).where(eq(cancellations.paymentId, id)))[0]?.state

describe.skipIf(!hasServer)('a primary that waits for its standby', () => {
  it('whose standby is gone takes no cancellation and sends none, and goes on when it is back', async () => {
    const { standby, store, ledger } = await start(true)
    await standby.crash()
    const payment = service.add()
    const told = await requestCancellation(ledger, makeActor(), askFor(payment)).catch((error: unknown) => error)
    expect(told).toMatchObject({ status: expect.toSatisfy((status: number) => status >= 500) })
    expect(deletesOf(payment)).toEqual([])
    await standby.start()
    // What waited is committed now, and carried out once.
    const worker = await runWorker(ledger)
    closers.push(() => worker.stop())
    await expect.poll(() => stateOf(store, payment).catch(() => 'down'), { timeout: 60_000 }).toBe('cancelled')
    expect(deletesOf(payment)).toMatchObject([{ effective: true }])
  })

  it('lost while people cancel: after the standby took over no told cancellation is lost, none is doubled', async () => {
    const { primary, standby, proxy, store, ledger } = await start(true)
    const worker = await runWorker(ledger)
    closers.push(() => worker.stop())
    const payments = Array.from({ length: 60 }, () => service.add())
    let requested = 0
    const asking = payments.map(async (payment, index) => {
      await wait(index * 30)
      return requestCancellation(ledger, makeActor(), askFor(payment)).then(
        ({ cancellation: { outcome } }) => {
          if (outcome === 'requested') requested += 1
          return outcome
        },
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
      )
    })
    // A busy machine takes longer until enough of them are told.
    await expect.poll(() => requested, { timeout: 60_000 }).toBeGreaterThan(10)
    await primary.crash()
    await standby.promote()
    proxy.redirect(standby.url)
    const told = await Promise.all(asking)
    const countOpen = () => store.db.$count(cancellations, isNull(cancellations.closedAt)).catch(() => -1)
    await expect.poll(countOpen, { timeout: 120_000 }).toBe(0)
    const ends = await Promise.all(
      payments.map(async (payment, index) => {
        const effective = deletesOf(payment).filter((each) => each.effective).length
        const state = await stateOf(store, payment)
        return state ? `${state} after ${effective} effective` : `told ${told[index]}, ${effective} effective`
      }),
    )
    const sound = [
      'cancelled after 1 effective',
      'told store-unavailable, 0 effective',
      'told outcome-unknown, 0 effective',
    ]
    expect(ends.filter((end) => !sound.includes(end))).toEqual([])
    expect(told.filter((outcome) => outcome !== 'requested').length).toBeGreaterThan(0)
    expect(await verifyChain(store.db)).toMatchObject({ holds: true })
  })
})

describe.skipIf(!hasServer)('a primary that does not wait for its standby', () => {
  it('loses what it told when it is lost: this is why the ledger needs one that waits', async () => {
    const { primary, standby, proxy, store, ledger } = await start(false)
    await standby.crash()
    const payment = service.add()
    const { cancellation } = await requestCancellation(ledger, makeActor(), askFor(payment))
    expect(cancellation.outcome).toBe('requested')
    await primary.crash()
    await standby.start()
    await standby.promote()
    proxy.redirect(standby.url)
    await expect.poll(() => stateOf(store, payment).catch(() => 'down'), { timeout: 60_000 }).toBeUndefined()
    expect(deletesOf(payment)).toMatchObject([{ effective: true }])
  })
})
