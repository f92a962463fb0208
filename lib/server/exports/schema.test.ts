import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import type { Filter } from '@/lib/api-contract/filter'
import { filterRequest } from '@/lib/domain/lists/filter-request'
import { exportScheduleRequest, listExportRequest } from './schema'

const leaf: Filter = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' }
const many = (count: number): Filter => ({ kind: 'or', filters: Array.from({ length: count }, () => leaf) })

function nest(depth: number, filter: Filter): Filter {
  return depth === 0 ? filter : { kind: depth % 2 === 0 ? 'and' : 'or', filters: [nest(depth - 1, filter)] }
}

/** Three levels: 20 × 20 × 40. */
const huge: Filter = {
  kind: 'and',
  filters: Array.from({ length: 20 }, () => ({ kind: 'or', filters: Array.from({ length: 20 }, () => many(40)) })),
}

const amountOrder = { field: 'amount', direction: 'asc' }
const schema = filterRequest(z.string().max(100))
const messagesOf = (filter: unknown) => schema.safeParse(filter).error?.issues.map(({ message }) => message)

describe('a filter in a request', () => {
  it('has at most 100 conditions, wherever they stand', () => {
    expect(schema.parse(many(100))).toEqual(many(100))
    for (const one of [many(101), huge, { kind: 'and', filters: [many(60), many(60)] }])
      expect(messagesOf(one)).toEqual(['must have at most 100 conditions'])
  })

  it('is nested at most 8 deep', () => {
    expect(schema.parse(nest(8, leaf))).toEqual(nest(8, leaf))
    expect(messagesOf(nest(9, leaf))).toEqual(['must be nested at most 8 levels deep'])
    expect(messagesOf(nest(2_000, leaf))).toEqual(['must be nested at most 8 levels deep'])
  })

  it('is sorted by several fields, or by one alone as earlier versions sent', () => {
    const list = { list: 'listPayments', asked: null, rest: null, filters: {}, columns: ['id'], zone: 'UTC' }
    const order = [{ field: 'currency', direction: 'asc' }, amountOrder]
    for (const one of [order, amountOrder, [], null])
      expect(listExportRequest.parse({ ...list, order: one }).order).toEqual(one)
    for (const one of [{ field: 'amount' }, Array.from({ length: 6 }, () => amountOrder)])
      expect(listExportRequest.safeParse({ ...list, order: one }).success).toBe(false)
  })

  it('is refused at its field, by exports and bulk cancellations', () => {
    const list = { list: 'listPayments', order: null, filters: {}, columns: ['id'], zone: 'UTC' }
    const refused = [
      listExportRequest.safeParse({ ...list, asked: huge, rest: null }),
      listExportRequest.safeParse({ ...list, asked: null, rest: huge }),
      bulkRequest.safeParse({ kind: 'filter', filter: huge, words: '' }),
      bulkRequest.safeParse({ kind: 'filter', filter: many(101), words: '' }),
    ]
    expect(refused.map(({ error }) => error?.issues.map(({ path }) => path.join('.')))).toEqual([
      ['asked'],
      ['rest'],
      ['filter'],
      ['filter'],
    ])
  })

  it.each(['a\0b', 'a\uD800b'])('is refused with %j, which the store can’t hold', (value) => {
    const query = {
      list: 'listPayments',
      asked: null,
      rest: null,
      order: null,
      filters: {},
      columns: ['id'],
      zone: 'UTC',
    }
    const moment: Filter = { kind: 'compare', field: 'createdAt', comparison: 'ge', value: { moment: value } }
    const filter: Filter = { kind: 'and', filters: [{ kind: 'contains', field: 'reference', value }] }
    const refused = [
      listExportRequest.safeParse({ ...query, asked: filter }),
      listExportRequest.safeParse({ ...query, rest: { ...leaf, value } }),
      listExportRequest.safeParse({ ...query, rest: moment }),
      listExportRequest.safeParse({ ...query, filters: { State: value } }),
      listExportRequest.safeParse({ ...query, filters: { [value]: 'Pending' } }),
      listExportRequest.safeParse({ ...query, columns: [value] }),
      bulkRequest.safeParse({ kind: 'filter', filter, words: '' }),
    ]
    expect(refused.map(({ error }) => error?.issues.map(({ path }) => path[0]))).toEqual(
      ['asked', 'rest', 'rest', 'filters', 'filters', 'columns', 'filter'].map((part) => [part]),
    )
  })

  it('is refused by a field that its list does not have, which matches no row', () => {
    const created: Filter = { kind: 'compare', field: 'createdAt', comparison: 'ge', value: { moment: '2026-11-01' } }
    const query = {
      list: 'listMandates',
      asked: null,
      rest: null,
      order: null,
      filters: {},
      columns: ['id'],
      zone: 'UTC',
    }
    const times = { rhythm: 'daily', day: 1, hour: 7 }
    const errorsOf = (schema: z.ZodType, given: unknown) =>
      schema.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    const rule = 'names “createdAt”, by which this list can’t be filtered or sorted'
    const nested: Filter = { kind: 'and', filters: [{ ...leaf, value: 'Active' }, created] }
    expect(errorsOf(listExportRequest, { ...query, rest: nested })).toEqual([`rest ${rule}`])
    expect(errorsOf(listExportRequest, { ...query, order: { field: 'createdAt', direction: 'asc' } })).toEqual([
      `order ${rule}`,
    ])
    const moving = [{ field: 'createdAt', preset: 'today' }]
    expect(errorsOf(exportScheduleRequest, { query, moving, times })).toEqual([`moving ${rule}`])
    const customers = { ...query, list: 'listCustomers' }
    expect(errorsOf(exportScheduleRequest, { query: { ...customers, rest: created }, moving, times })).toBeUndefined()
    const filter = { ...created, field: 'shoeSize' }
    expect(errorsOf(bulkRequest, { kind: 'filter', filter, words: '' })).toEqual([
      'filter.field names “shoeSize”, by which this list can’t be filtered or sorted',
    ])
  })
})
