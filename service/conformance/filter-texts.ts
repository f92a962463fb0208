import fc from 'fast-check'
import { type Comparison, type Filter, formatFilter, formatSortOrder } from '@/lib/api-contract/filter'

const words = ['ann', 'SEN', 'ø', "O'Neill", 'Pending', 'nets-bs', 'DKK', 'INV-2026', '%', '👨‍👩', 'a\u030a', '']
const all: readonly Comparison[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']

function condition(field: string, kind: string): fc.Arbitrary<Filter> {
  const compare = (comparisons: readonly Comparison[], values: fc.Arbitrary<(Filter & { kind: 'compare' })['value']>) =>
    fc.record({
      kind: fc.constant('compare' as const),
      field: fc.constant(field),
      comparison: fc.constantFrom(...comparisons),
      value: values,
    })
  const text = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => !one.includes('\0')),
  )
  switch (kind) {
    case 'boolean':
      return compare(['eq', 'ne'], fc.boolean())
    case 'uuid':
      return compare(['eq', 'ne'], fc.oneof(fc.uuid(), text))
    case 'number':
      return compare(
        all,
        fc.oneof(fc.maxSafeInteger(), fc.integer({ min: 0, max: 500_000 }), fc.constantFrom(0.5, 99.99)),
      )
    case 'moment':
      return compare(
        all,
        fc
          .oneof(
            fc.constantFrom(
              '2026-11-20',
              '0001-01-01',
              '9999-12-31',
              '2024-02-29',
              '2026-11-20T08:00:00.123456789+02:00',
            ),
            fc
              .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
              .map((date) => date.toISOString()),
          )
          .map((moment) => ({ moment })),
      )
    default:
      return kind === 'text'
        ? fc.oneof(
            compare(all, text),
            text.filter((one) => one !== '').map((value): Filter => ({ kind: 'contains', field, value })),
          )
        : compare(all, text)
  }
}

/** Valid filters over the document's fields, in the grammar that the document describes. */
export function validFilters(fields: Record<string, string>): fc.Arbitrary<string> {
  const one = fc.oneof(...Object.entries(fields).map(([field, kind]) => condition(field, kind)))
  const joined = fc
    .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(one, { minLength: 2, maxLength: 4 }))
    .map(([kind, filters]): Filter => ({ kind, filters }))
  const mixed = fc
    .tuple(joined, joined, fc.constantFrom('and' as const, 'or' as const))
    .map(([left, right, kind]): Filter => ({ kind, filters: [left, right] }))
  return fc
    .oneof(one, joined, mixed)
    .map(formatFilter)
    .filter((text) => text.length <= 4_000)
}

/** Valid sort orders over the document's fields: up to four, each once. */
export function validOrders(fields: Record<string, string>): fc.Arbitrary<string> {
  const direction = fc.constantFrom('asc' as const, 'desc' as const)
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(fields)), { minLength: 1, maxLength: 4 })
    .chain((names) => fc.tuple(...names.map((field) => fc.record({ field: fc.constant(field), direction }))))
    .map(formatSortOrder)
}

const pieces = [
  "'",
  "''",
  '(',
  ')',
  ',',
  ' ',
  'eq',
  'and',
  'or',
  'not',
  'contains',
  'status',
  'amount',
  'name',
  '1',
  '-',
  '1.2.3',
  '2026-13-01',
  '/',
  '--',
  ';',
  '\\',
  '%',
  '\0',
  '\u2028',
  'null',
  '= 1',
]

/** Arbitrary and malicious filters and sort orders, some of which happen to be valid. */
export const hostileTexts = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom(
    "' or 1=1 --",
    "status eq 'a'; drop table payments",
    '('.repeat(4_000),
    "contains(name,'".repeat(200),
  ),
)

/** Filters and sort orders that are invalid in the grammar. */
export const wrongFilters = fc.constantFrom(
  '',
  'status',
  "status eq 'a' and",
  'nothing eq 1',
  "(status eq 'a'",
  "status = 'a'",
  "contains(name,'')",
  'amount eq abc',
  "id eq 'a\0'",
  "contains(handle,'\0')",
  `status eq '${'x'.repeat(4_000)}'`,
)
export const wrongOrders = fc.constantFrom(
  '',
  'nothing',
  'createdAt down',
  'createdAt,',
  'createdAt,createdAt',
  'id asc desc',
  ',id',
)
