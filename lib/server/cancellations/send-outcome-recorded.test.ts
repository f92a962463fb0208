import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancellations } from '../store/schema'
import { LedgerFixture } from '../testing/ledger-fixture'
import { readRow } from '../testing/test-ledger'
import type { CancellationRow } from './ledger'
import { recordOutcome } from './send-outcome'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

/** A cancellation in flight, as part of a bulk or by itself. */
async function send(bulkId: string | null): Promise<CancellationRow> {
  const { id } = await fixture.cancel(fixture.service.add())
  const sending = { state: 'sending' as const, attempts: 1, bulkId, sentAt: new Date(), closedAt: null }
  await fixture.store.db.update(cancellations).set(sending).where(eq(cancellations.id, id))
  return readRow(fixture.ledger, id)
}

const notSent = (failure: string) => ({ kind: 'not-sent' as const, failure })

test('a row of a bulk whose request never left is in line again', async () => {
  const row = await send(randomUUID())
  expect(await recordOutcome(fixture.ledger, row, notSent('owner-signed-out'))).toMatchObject({
    state: 'waiting',
    attempts: 0,
    outcomeReason: null,
    closedAt: null,
  })
})

test('one for which no request can be built is not', async () => {
  const row = await send(randomUUID())
  const ended = await recordOutcome(fixture.ledger, row, notSent('bad-request'))
  expect(ended).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent' })
})

test('one that was asked for by itself is told so at once', async () => {
  const ended = await recordOutcome(fixture.ledger, await send(null), notSent('upstream-unreachable'))
  expect(ended).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent' })
})

test('a row of a bulk that another process gave up as unknown, and that never left, was not cancelled', async () => {
  const row = await send(randomUUID())
  await fixture.store.db.update(cancellations).set({ state: 'unknown' }).where(eq(cancellations.id, row.id))
  const ended = await recordOutcome(fixture.ledger, row, notSent('lease-lost'))
  expect(ended).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent', attempts: 0 })
})
