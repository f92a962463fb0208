import { afterAll, beforeAll, expect, it } from 'vitest'
import { columnChoice } from './schema'
import type { OpenDatabase } from '@/lib/database/database'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { storeColumnChoice, readColumnChoice } from './list-preferences'

let store: OpenDatabase
const ann = makeSession('support')
const bob = makeSession('viewer')

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

it('keeps the columns of each user, list and merchant apart, until they are given up', async () => {
  const { db } = store
  const elsewhere = { ...ann, scope: { ...ann.scope, connectionId: 'other' } }
  await storeColumnChoice(db, ann, 'payments', 'payer.amount')
  await storeColumnChoice(db, ann, 'payments', 'payer.amount-160')
  await storeColumnChoice(db, bob, 'payments', 'reference')
  expect(await readColumnChoice(db, ann, 'payments')).toBe('payer.amount-160')
  expect(await readColumnChoice(db, bob, 'payments')).toBe('reference')
  expect(await readColumnChoice(db, ann, 'customers')).toBeNull()
  expect(await readColumnChoice(db, elsewhere, 'payments')).toBeNull()
  await storeColumnChoice(db, elsewhere, 'payments', null)
  await storeColumnChoice(db, bob, 'payments', null)
  expect(await readColumnChoice(db, ann, 'payments')).toBe('payer.amount-160')
  expect(await readColumnChoice(db, bob, 'payments')).toBeNull()
})

it('takes nothing but what an address would say', () => {
  expect(columnChoice.safeParse({ list: 'payments', columns: 'payer.amount-160' }).success).toBe(true)
  for (const columns of ['', 'a b', 'a,b', '<b>', 'x'.repeat(1_001), 7])
    expect(columnChoice.safeParse({ list: 'payments', columns }).success).toBe(false)
  expect(columnChoice.safeParse({ list: 'activity', columns: null }).success).toBe(false)
})
