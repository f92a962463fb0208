import { describe, expect, it } from 'vitest'
import { createRowComparator, matchesFilter } from './row-matching'
import type { Filter } from '@/lib/api-contract/filter'

const row = {
  status: 'Pending',
  test: false,
  amount: 1200,
  reference: 'PMT-1',
  scheduleDate: '2026-11-20T00:00:00Z',
  customer: { name: 'Åse Holm' },
  settlementDate: null,
}
const compare = (
  field: string,
  comparison: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le',
  value: string | number | boolean | { moment: string },
): Filter => ({
  kind: 'compare',
  field,
  comparison,
  value,
})
const contains = (field: string, value: string): Filter => ({ kind: 'contains', field, value })

describe('a filter on a loaded row', () => {
  it.each<[Filter, boolean]>([
    [compare('status', 'eq', 'pending'), true],
    [compare('status', 'eq', 'Settled'), false],
    [compare('status', 'ne', 'Settled'), true],
    [compare('test', 'eq', false), true],
    [compare('test', 'eq', true), false],
    [compare('amount', 'gt', 1199), true],
    [compare('amount', 'lt', 1200), false],
    [compare('amount', 'le', 1200), true],
    [compare('scheduleDate', 'ge', { moment: '2026-11-20' }), true],
    [compare('scheduleDate', 'lt', { moment: '2026-11-20' }), false],
    [compare('settlementDate', 'eq', 'x'), false],
    [compare('settlementDate', 'ne', 'x'), true],
    [compare('settlementDate', 'lt', { moment: '2026-11-20' }), false],
    [compare('customer/id', 'eq', 'x'), false],
    [compare('amount', 'eq', Number.NaN), false],
    [contains('customer/name', 'ÅSE'), true],
    [contains('customer/name', 'A\u030ase'), true],
    [contains('customer/name', 'bo'), false],
    [contains('settlementDate', ''), false],
    [{ kind: 'and', filters: [compare('test', 'eq', false), contains('reference', 'pmt')] }, true],
    [{ kind: 'and', filters: [compare('test', 'eq', true), contains('reference', 'pmt')] }, false],
    [{ kind: 'or', filters: [compare('test', 'eq', true), contains('reference', 'pmt')] }, true],
    [{ kind: 'or', filters: [compare('test', 'eq', true), contains('reference', 'x')] }, false],
  ])('%j is %s', (filter, expected) => {
    expect(matchesFilter(filter, row)).toBe(expected)
  })

  it.each<[string, string, string, boolean]>([
    ['id', 'AbCdAq0Z', 'AbCdAq0Z', true],
    ['id', 'AbCdAq0Z', 'aBcDaQ0z', false],
    ['customer/id', 'AbCdAq0Z', 'aBcDaQ0z', false],
    ['mandate/id', '0b0a7c8d-aaaa-4bbb-8ccc-00000000000f', '0B0A7C8D-AAAA-4BBB-8CCC-00000000000F', true],
    ['handle', 'cu_one', 'cu_one', true],
    ['handle', 'cu_one', 'CU_One', false],
    ['mandate/handle', '0b0a7c8d-aaaa-4bbb-8ccc-00000000000f', '0B0A7C8D-AAAA-4BBB-8CCC-00000000000F', false],
  ])('by %s: whether %s and %s are one is %s', (field, value, wanted, isSame) => {
    const [outer = '', inner] = field.split('/')
    const named = inner === undefined ? { [outer]: value } : { [outer]: { [inner]: value } }
    expect(matchesFilter(compare(field, 'eq', wanted), named)).toBe(isSame)
    expect(matchesFilter(compare(field, 'ne', wanted), named)).toBe(!isSame)
  })

  it('survives rows that are nothing of the kind', () => {
    for (const odd of [null, undefined, 7, 'text', [], {}, { customer: 'text' }]) {
      expect(matchesFilter(contains('customer/name', 'a'), odd)).toBe(false)
    }
  })
})

describe('an order of loaded rows', () => {
  const sort = (values: unknown[], kind: 'number' | 'moment' | 'text', direction: 'asc' | 'desc') =>
    values
      .map((value) => ({ value }))
      .toSorted(createRowComparator([{ field: 'value', direction }], { value: kind }))
      .map(({ value }) => value)

  it('compares numbers as numbers, also those sent as text', () => {
    expect(sort([10, '9', 100], 'number', 'asc')).toEqual(['9', 10, 100])
    expect(sort([10, '9', 100], 'number', 'desc')).toEqual([100, 10, '9'])
  })

  it('compares moments across zones', () => {
    const [earlier, later] = ['2026-11-20T10:00:00+02:00', '2026-11-20T09:00:00Z']
    expect(sort([later, earlier], 'moment', 'asc')).toEqual([earlier, later])
  })

  it('puts rows that say nothing last in both directions', () => {
    expect(sort([null, 2, 'never', 1], 'number', 'asc').slice(0, 2)).toEqual([1, 2])
    expect(sort([null, 2, 'never', 1], 'number', 'desc').slice(0, 2)).toEqual([2, 1])
  })
})

it('finds a part of a text regardless of accents, and text itself only with them', () => {
  const row = { name: 'Åse Nørgaard' }
  const contains = (value: string) => matchesFilter({ kind: 'contains', field: 'name', value }, row)
  expect(['norgaard', 'aase', 'NØRGÅRD', 'Åse'].map(contains)).toEqual([true, true, true, true])
  expect(contains('ose')).toBe(false)
  expect(matchesFilter({ kind: 'compare', field: 'name', comparison: 'eq', value: 'aase norgaard' }, row)).toBe(false)
})
