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
  fixture.service.add({ name: 'Dan', number: '' })
  expect(await findExistingNumbers(fixture.admin, [''])).toMatchObject({ numbers: [] })
  expect(await findExistingNumbers(fixture.admin, ['N-33', 'N-34'])).toMatchObject({ numbers: ['N-33'], isWhole: true })
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
