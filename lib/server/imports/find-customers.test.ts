import { expect, it } from 'vitest'
import { ImportFixture } from '../testing/import-fixture'
import { isForegroundBusy } from '../upstream/upstream-state'
import { findExistingNumbers, findSimilarCustomers, snapshotCustomers } from './find-customers'

const fixture = new ImportFixture()
const many = Array.from({ length: 12 }, (_, index) => `N-${index}`)

it('finds the numbers that customers have, whatever their case and spaces', async () => {
  fixture.service.add({ name: 'Ann', number: 'n-3 ' })
  fixture.service.add({ name: 'Bo', number: 'N-33' })
  fixture.service.add({ name: 'Carl' })
  expect(await findExistingNumbers(fixture.admin, many)).toEqual({ numbers: ['N-3'], compared: 3, isWhole: true })
  expect(await findExistingNumbers(fixture.admin, ['N-33', 'N-34'])).toMatchObject({ numbers: ['N-33'], isWhole: true })
})

it('reads the list for a number with letters that a filter does not find: nobody proves that it ignores case', async () => {
  await fixture.prove('contains:number')
  fixture.service.add({ name: 'Ann', number: 'A12' })
  const filters = () => fixture.service.reads.map(({ path }) => path.includes('filter='))
  expect(await findExistingNumbers(fixture.admin, ['A12'])).toEqual({ numbers: ['A12'], compared: 1, isWhole: true })
  expect(filters()).toEqual([true])
  expect(await findExistingNumbers(fixture.admin, ['B7'])).toEqual({ numbers: [], compared: 1, isWhole: true })
  expect(filters()).toEqual([true, true, false])
  await findSimilarCustomers(fixture.admin, [{ name: 'Ann', number: 'a12' }], async () => true)
  await findExistingNumbers(fixture.admin, ['13'])
  expect(filters()).toEqual([true, true, false, false, true])
})

it('reads the list where the service refuses a filter for one of the numbers', async () => {
  await fixture.prove('contains:number')
  fixture.service.add({ name: 'Ann', number: '12' })
  fixture.service.onList = ({ path }) => (path.includes('%2525') ? { status: 400, body: '{}' } : null)
  expect(await findExistingNumbers(fixture.admin, ['%25', '12'])).toMatchObject({ numbers: ['12'], isWhole: true })
})

it('knows the customers of a list that moved once', async () => {
  for (let at = 0; at < 150; at += 1) fixture.service.add({ id: `cu_${at}`, name: `Customer ${at}` })
  let moves = 0
  fixture.service.onList = ({ path }) => {
    if (!path.includes('after=') || moves > 0) return null
    moves += 1
    return { body: JSON.stringify({ results: fixture.service.customers.slice(99, 149), hasMore: false }) }
  }
  const known = await snapshotCustomers(fixture.admin, async () => true)
  expect(known({ name: 'customer 149' })).toMatchObject({ ids: ['cu_149'], whole: true })
})

it('is waited for by somebody, unlike what an import looks for by itself', async () => {
  const busy = new Set<boolean>()
  fixture.service.onList = () => {
    busy.add(isForegroundBusy(fixture.admin.scope.connectionId))
    return null
  }
  globalThis.debitdeskForeground = undefined
  await snapshotCustomers(fixture.admin, async () => true)
  await findSimilarCustomers(fixture.admin, [{ name: 'Ann' }], async () => true)
  expect([...busy]).toEqual([false])
  await findExistingNumbers(fixture.admin, many)
  expect([...busy]).toEqual([false, true])
})

it('says how far it came where a page cannot be read, and fails where none can', async () => {
  for (let at = 0; at < 150; at += 1) fixture.service.add({ name: `Customer ${at}`, number: `N-${at}` })
  const failing = { status: 403, body: '{}' }
  fixture.service.onList = ({ path }) => (path.includes('after=') ? failing : null)
  expect(await findExistingNumbers(fixture.admin, [...many, 'N-149'])).toEqual({
    numbers: many,
    compared: 100,
    isWhole: false,
  })
  fixture.service.onList = () => failing
  await expect(findExistingNumbers(fixture.admin, many)).rejects.toMatchObject({ name: 'AppError' })
})
