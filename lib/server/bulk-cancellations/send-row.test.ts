import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { AppError } from '../runtime/app-error'
import { openMemoryStore } from '../testing/store-fixture'
import { classifyStoreError } from './send-row'

/** What the work throws. */
async function catchError(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('what the store throws is told as the store, a full disk by its name', async () => {
  const store = await openMemoryStore()
  const broken = await catchError(() => store.db.execute(sql`select * from nowhere`))
  expect(classifyStoreError(broken)).toBe('store-unavailable')
  await store.close()
  expect(classifyStoreError(await catchError(() => store.db.transaction(async () => 1)))).toBe('store-unavailable')
  expect(classifyStoreError(new AppError('store-unavailable', {}, { cause: broken }))).toBe('store-unavailable')
  expect(classifyStoreError(new Error('Failed query', { cause: Object.assign(new Error(), { code: '53100' }) }))).toBe(
    'store-full',
  )
})

test('a fault of our own is not told as the store', async () => {
  expect(classifyStoreError(await catchError(() => Reflect.get(Reflect.get({}, 'row'), 'id')))).toBe('internal')
  expect(classifyStoreError(new AppError('conflict'))).toBe('internal')
})
