import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiTokens } from '../store/api-token-schema'
import { defaultConnectionId, memberships, users } from '../store/schema'
import { addActor } from '../testing/bulk-fixture'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { readRow } from '../testing/test-ledger'
import type { Actor } from './ledger'
import { requestCancellation } from './request-cancellation'
import { maySenderCancel } from './sender'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

afterAll(() => fixture.close())

const hour = 3_600_000

async function addToken(actor: Actor): Promise<Actor> {
  const [id, now] = [randomUUID(), Date.now()]
  await fixture.store.db.insert(apiTokens).values({
    id,
    userId: actor.userId,
    connectionId: defaultConnectionId,
    name: 'night job',
    role: 'support',
    prefix: id,
    hash: id,
    withFactor: false,
    createdAt: new Date(now - hour),
    expiresAt: new Date(now + hour),
  })
  return { ...actor, apiToken: { id, name: 'night job' } }
}

const isOf = ({ userId }: Actor) =>
  and(eq(memberships.userId, userId), eq(memberships.connectionId, defaultConnectionId))

test.each<[string, (actor: Actor) => Promise<unknown>]>([
  [
    'was locked out',
    ({ userId }) => fixture.store.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId)),
  ],
  ['left', (actor) => fixture.store.db.delete(memberships).where(isOf(actor))],
  ['may only read', (actor) => fixture.store.db.update(memberships).set({ role: 'viewer' }).where(isOf(actor))],
  [
    'has had the token revoked',
    ({ apiToken }) =>
      fixture.store.db
        .update(apiTokens)
        .set({ revokedAt: new Date() })
        .where(eq(apiTokens.id, apiToken?.id ?? '')),
  ],
  [
    'has let the token expire',
    ({ apiToken }) =>
      fixture.store.db
        .update(apiTokens)
        .set({ expiresAt: new Date(0) })
        .where(eq(apiTokens.id, apiToken?.id ?? '')),
  ],
])('nothing that waits is sent for somebody who %s', async (_, change) => {
  const actor = await addToken(await addActor(fixture.store))
  const { cancellation } = await requestCancellation(fixture.ledger, actor, askFor(fixture.service.add()))
  const may = async () => maySenderCancel(fixture.store, await readRow(fixture.ledger, cancellation.id))
  expect(await may()).toBe(true)
  await change(actor)
  expect(await may()).toBe(false)
})

test('a person needs no token', async () => {
  const actor = await addActor(fixture.store)
  const { cancellation } = await requestCancellation(fixture.ledger, actor, askFor(fixture.service.add()))
  expect(await maySenderCancel(fixture.store, await readRow(fixture.ledger, cancellation.id))).toBe(true)
})
