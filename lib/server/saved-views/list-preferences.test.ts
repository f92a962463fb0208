import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { storeColumnChoice, readListPreferences } from './list-preferences'
import { deleteView, renameView, saveView, setDefaultView } from './saved-views'

let store: OpenDatabase
const [ann, bob] = (['support', 'support'] as const).map((role) => makeSession(role))
if (!ann || !bob) throw new Error('there are two')

beforeAll(async () => {
  store = await setMemoryStore()
})
afterAll(() => store.close())

const plain = { opens: null, columns: null, views: [] }

it('is each person’s own at each merchant, list by list, and what was written counts at once', async () => {
  expect(await readListPreferences(ann, 'payments')).toEqual(plain)
  const query = 'state=Pending'
  const { viewId } = await saveView(store.db, ann, { list: 'payments', name: 'Due', query, isShared: false })
  expect(await readListPreferences(ann, 'payments')).toEqual({
    ...plain,
    views: [{ name: 'Due', query, isDefault: false }],
  })
  await setDefaultView(store.db, ann, viewId, true)
  await storeColumnChoice(store.db, ann, 'payments', 'payer.amount')
  const own = { opens: query, columns: 'payer.amount', views: [{ name: 'Due', query, isDefault: true }] }
  expect(await readListPreferences(ann, 'payments')).toEqual(own)
  expect(await readListPreferences(ann, 'payments')).toEqual(own)

  expect(await readListPreferences(ann, 'customers')).toEqual(plain)
  expect(await readListPreferences(bob, 'payments')).toEqual(plain)
  expect(await readListPreferences({ ...ann, scope: { ...ann.scope, connectionId: 'other' } }, 'payments')).toEqual(
    plain,
  )

  await renameView(store.db, ann, viewId, 'Due soon')
  expect((await readListPreferences(ann, 'payments')).views).toEqual([{ name: 'Due soon', query, isDefault: true }])
  await deleteView(store.db, ann, viewId)
  expect(await readListPreferences(ann, 'payments')).toEqual({ ...plain, columns: 'payer.amount' })
})
