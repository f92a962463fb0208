import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { cancellations, sessions, users } from '../store/schema'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { makeActor, makeTestLedger, shiftClock } from '../testing/test-ledger'
import type { Actor, Ledger } from './ledger'
import { requestCancellation } from './request-cancellation'

const velocity = { count: 5, within: 10 * 60_000 }
let fixture: LedgerFixture
let ledger: Ledger

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})
beforeEach(() => {
  fixture.reset()
  ledger = { ...fixture.ledger, velocity }
})
afterAll(() => fixture.close())

/** A user with a session proven at this time. */
async function addPerson(provenAt = new Date()): Promise<Actor> {
  const actor = makeActor(`${randomUUID()}@debitdesk.example`)
  await fixture.store.db.insert(users).values({ id: actor.userId, email: actor.email, passwordHash: 'x' })
  await fixture.store.db.insert(sessions).values({ id: actor.sessionId, userId: actor.userId, provenAt })
  return actor
}

/** Results of a user's simultaneous cancellations. */
async function cancelMany(actor: Actor, count: number, desks: readonly Ledger[] = [ledger]): Promise<string[]> {
  const asked = Array.from({ length: count }, (_, at) => {
    const desk = desks[at % desks.length] ?? ledger
    return requestCancellation(desk, actor, askFor(fixture.service.add())).then(
      () => 'passed',
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
    )
  })
  return Promise.all(asked)
}

const countSent = () => fixture.service.deletes.length

it('lets 5 of 15 through that come at once, whichever desk of two they come to', async () => {
  const before = countSent()
  const other = { ...makeTestLedger(fixture.store, fixture.service.url), velocity }
  const outcomes = await cancelMany(await addPerson(), 15, [ledger, other])
  expect(outcomes.filter((one) => one === 'step-up')).toHaveLength(10)
  expect(outcomes.filter((one) => one === 'passed')).toHaveLength(5)
  expect(countSent() - before).toBe(5)
})

it('keeps nothing of one that it refuses, and counts each person alone', async () => {
  const [busy, calm] = [await addPerson(), await addPerson()]
  await cancelMany(busy, 5)
  const rows = await fixture.store.db.$count(cancellations)
  const asked = askFor(fixture.service.add())
  await expect(requestCancellation(ledger, busy, asked)).rejects.toMatchObject({
    code: 'step-up',
    evidence: { extensions: { proof: 'password' } },
  })
  expect(await fixture.store.db.$count(cancellations)).toBe(rows)
  expect((await requestCancellation(ledger, calm, asked)).replayed).toBe(false)
})

it('counts from the last proof on, and no further back than its time', async () => {
  const actor = await addPerson(new Date(Date.now() - 60_000))
  await cancelMany(actor, 5)
  expect(await cancelMany(actor, 1)).toEqual(['step-up'])
  const later = shiftClock(ledger, velocity.within)
  expect(await cancelMany(actor, 1, [later])).toEqual(['passed'])
  await fixture.store.db.update(sessions).set({ provenAt: new Date() })
  expect(new Set(await cancelMany(actor, 4))).toEqual(new Set(['passed']))
})
