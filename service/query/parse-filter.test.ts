import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Filter, filterFields, formatFilter } from '@/lib/api-contract/filter'
import { parseFilter } from './parser'
import { SyntaxProblem } from './tokenizer'

const fields = filterFields.listPayments
const read = (source: string) => parseFilter(source, fields)

function problemOf(source: string): SyntaxProblem {
  try {
    read(source)
  } catch (error) {
    if (error instanceof SyntaxProblem) return error
    throw error
  }
  throw new Error(`${source} was understood`)
}

const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    field: fc.constantFrom('reference', 'status', 'customer/name'),
    comparison: fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'),
    value: fc.string({ unit: 'grapheme' }),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    field: fc.constant('amount'),
    comparison: fc.constantFrom('eq', 'gt', 'le'),
    value: fc.integer(),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    field: fc.constant('test'),
    comparison: fc.constantFrom('eq', 'ne'),
    value: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    field: fc.constant('createdAt'),
    comparison: fc.constantFrom('ge', 'lt'),
    value: fc.record({
      moment: fc.constantFrom('2026-11-01', '2024-02-29T23:59:59.999Z', '2026-11-01T00:00:00+01:00'),
    }),
  }),
  fc.record({
    kind: fc.constant('contains' as const),
    field: fc.constantFrom('customer/name', 'description'),
    value: fc.string({ unit: 'grapheme', minLength: 1 }),
  }),
)

/** Alternates the kinds, because `a and (b and c)` is formatted without parentheses and parsed as a single `and`. */
function group(kind: 'and' | 'or', depth: number): fc.Arbitrary<Filter> {
  const part = depth === 0 ? condition : fc.oneof(condition, group(kind === 'and' ? 'or' : 'and', depth - 1))
  return fc.record({ kind: fc.constant(kind), filters: fc.array(part, { minLength: 2, maxLength: 3 }) })
}

describe('a filter', () => {
  test('that the contract writes is read back as it was', () => {
    fc.assert(
      fc.property(fc.oneof(condition, group('and', 2), group('or', 2)), (filter) => {
        expect(read(formatFilter(filter))).toEqual(filter)
      }),
      { numRuns: 500 },
    )
  })

  test('binds and stronger than or', () => {
    const [test_, pending] = [
      { kind: 'compare', field: 'test', comparison: 'eq', value: true },
      { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' },
    ]
    expect(read("test eq true or test eq true and status eq 'Pending'")).toEqual({
      kind: 'or',
      filters: [test_, { kind: 'and', filters: [test_, pending] }],
    })
  })

  test.each([
    ["status eq 'Pending", 18, ["'"]],
    ['status is 3', 7, ['eq', 'ne', 'gt', 'ge', 'lt', 'le']],
    ['status eq Pending', 10, ['a quoted text']],
    ["status eq 'a' status", 14, ['and', 'or', 'the end']],
    ['(test eq true', 13, ['and', 'or', ')']],
    ['test gt true', 5, ['eq', 'ne']],
    ['test eq 1', 8, ['true or false']],
    ["amount eq '5'", 10, ['a number']],
    ['amount eq 9007199254740993', 10, ['a number that a double keeps']],
    ['amount lt -9007199254740993', 10, ['a number that a double keeps']],
    ['amount le 0.99999999999999999', 10, ['a number that a double keeps']],
    ['scheduleDate ge 2026-13-01', 16, ['a date such as 2026-11-01']],
    ['scheduleDate ge 2026-02-30', 16, ['a date such as 2026-11-01']],
    ['scheduleDate ge 5', 16, ['a date such as 2026-11-01']],
    ["contains(reference,'')", 19, ['text of at least one character']],
    ["contains reference,'abc'", 0, Object.keys(fields)],
    ['amount eq 1;drop', 11, ['a field', 'a value', '(', ')', ',']],
  ])('%s is refused at position %i', (source, position, expected) => {
    const problem = problemOf(source)
    expect(problem.position).toBe(position)
    expect(problem.expected).toEqual(expected)
  })

  test('names the fields it knows, and looks inside text alone', () => {
    expect(problemOf('toString eq 1').expected).toEqual(Object.keys(fields))
    expect(problemOf("contains(amount,'abc')").expected).toContain('customer/name')
    expect(problemOf("contains(amount,'abc')").expected).not.toContain('amount')
  })

  test('is bounded in depth and number of conditions', () => {
    expect(problemOf(`${'('.repeat(21)}test eq true${')'.repeat(21)}`).message).toContain('20 levels')
    expect(problemOf(Array.from({ length: 51 }, () => 'test eq true').join(' or ')).message).toContain('50 conditions')
  })

  test('is refused in less than 50 ms, however hostile', () => {
    for (const source of [
      '('.repeat(4000),
      "'".repeat(3999),
      `${'1'.repeat(3990)}x`,
      `a/${'b/'.repeat(1990)}`,
      ' '.repeat(4000),
      "x eq '".repeat(600),
    ]) {
      const start = performance.now()
      problemOf(source)
      expect(performance.now() - start).toBeLessThan(50)
    }
  })
})
