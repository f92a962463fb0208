import { expect, it } from 'vitest'
import { findNamedAgreements } from './named-agreements'

it('finds records and bare ids in lists of that name, wherever the record keeps them', () => {
  const record = {
    name: 'Shop',
    Agreements: [{ id: 'a1', handle: 'am_1', scheme: 'nets-bs', test: 'true' }, { handle: 'am_2' }, { scheme: 'x' }],
    metaData: { agreements: ['am_3', '', 7] },
  }
  expect(findNamedAgreements(record).map(({ agreementId, test }) => [agreementId, test])).toEqual([
    ['a1', true],
    ['am_2', null],
    ['am_3', null],
  ])
})

it.each([null, 'text', [], { agreements: 'none' }, { agreements: {} }])('finds none in %j', (record) => {
  expect(findNamedAgreements(record)).toEqual([])
})
