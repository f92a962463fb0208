import { expect, test } from 'vitest'
import { formatSortOrder, type SortOrder } from '@/lib/api-contract/filter'
import { parseOrder } from './parser'
import { SyntaxProblem } from './tokenizer'

const names = ['scheduleDate', 'amount', 'customer/name', 'id', 'status']

test('an order that the contract writes is read back as it was', () => {
  const orders: SortOrder[] = [
    { field: 'scheduleDate', direction: 'desc' },
    { field: 'customer/name', direction: 'asc' },
  ]
  expect(parseOrder(formatSortOrder(orders), names)).toEqual(orders)
  expect(parseOrder('  scheduleDate   DESC , customer/name asc', names)).toEqual(orders)
})

test.each([
  ['', 0],
  ['amount,', 7],
  ['amont', 0],
  ['amount,status down', 14],
  ['amount desc now', 12],
  ['amount,amount', 7],
  ['amount,id,status,scheduleDate,customer/name', 30],
])('the order %j is refused at position %i', (source, position) => {
  expect(() => parseOrder(source, names)).toThrow(expect.objectContaining({ constructor: SyntaxProblem, position }))
})
