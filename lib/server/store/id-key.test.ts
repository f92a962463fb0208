import fc from 'fast-check'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idKey } from '@/lib/domain/ids'
import type { OpenDatabase } from '@/lib/database/database'
import { openMemoryStore } from '../testing/store-fixture'
import { agreements, cancellations, connections, idKeyOf } from './schema'

let store: OpenDatabase

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

const base62 = fc.stringMatching(/^[0-9A-Za-z]{1,40}$/u)
const uuids = fc.uuid().chain((id) =>
  fc.constantFrom(
    id,
    id.toUpperCase(),
    id.replace(/[a-f]/u, (a) => a.toUpperCase()),
  ),
)
const nearly = uuids.chain((id) =>
  fc.constantFrom(`${id}\n`, `\n${id}`, `{${id}}`, id.replaceAll('-', ''), `${id}0`, `é${id}`),
)

test('the store folds the ids that the desk folds, and no others', async () => {
  const ids = new Set(
    fc.sample(
      fc.oneof(
        uuids,
        nearly,
        base62,
        fc.string({ unit: 'grapheme' }).filter((id) => !id.includes('\0')),
      ),
      1_000,
    ),
  )
  const connectionId = 'ids'
  await store.db.insert(connections).values({ connectionId, name: 'Ids' })
  await store.db
    .insert(agreements)
    .values(
      [...ids].map((agreementId) => ({ connectionId, agreementId, source: 'opened' as const, rememberedBy: 'x' })),
    )
  const rows = await store.db
    .select({ id: agreements.agreementId, key: idKeyOf(agreements.agreementId) })
    .from(agreements)
    .where(eq(agreements.connectionId, connectionId))
  expect(rows).toHaveLength(ids.size)
  expect(rows.filter(({ id, key }) => key !== idKey(id))).toEqual([])
})

test('the open cancellation of a payment is found by its index', async () => {
  const plan = await store.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    const query = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, 'default'),
          eq(idKeyOf(cancellations.paymentId), 'AbCdAq0Z'),
          isNull(cancellations.closedAt),
        ),
      )
    return tx.execute(sql`explain ${query}`)
  })
  expect(JSON.stringify(plan)).toMatch(/cancellations_(?:one_open|by_payment).*Index Cond: .*CASE/u)
})
