import { describe, expect, it } from 'vitest'
import { RowIndex } from '@/lib/client/row-index'
import { parseView, formatView } from './table-view'
import { planQuery } from '@/lib/domain/lists/list-plan'
import { context, filters } from '@/lib/domain/lists/testing/filters'

const schema = {
  filters,
  columns: [
    { accessorKey: 'createdAt', enableSorting: true, meta: { width: '1rem' } },
    { id: 'customer/name', enableSorting: true, meta: { width: '1rem' } },
    { accessorKey: 'amount' },
    { id: 'mode' },
  ],
}
const read = (query: string) => parseView(schema, new URLSearchParams(query))

describe('the view in the URL', () => {
  it('is read back as it was written', () => {
    const view = {
      values: { search: "Ann & O'Brien=ø", state: 'Zork?', mode: 'live' },
      sorting: { field: 'customer/name', direction: 'desc' as const },
      columns: 'mode-120.createdAt',
      openRowId: 'id/with#marks',
    }
    expect(read(formatView(schema, view))).toEqual(view)
  })

  it('is empty for the plain table', () => {
    expect(formatView(schema, { values: {}, sorting: null, columns: null, openRowId: null })).toBe('')
    expect(read('')).toEqual({ values: {}, sorting: null, columns: null, openRowId: null })
  })

  it.each([
    'mode=',
    'state=%20',
    'unknown=1',
    'sort=amount',
    'sort=mode',
    'sort=zork',
    'sort=',
    'sort=--createdAt',
    'state=%ED%A0%80&open=',
    'columns=zork.-4',
  ])('ignores what the table does not know: %s', (query) => {
    const { values, sorting, columns } = read(query)
    expect([sorting, columns]).toEqual([null, null])
    expect(Object.keys(values)).toEqual(query.startsWith('state=%ED') ? ['state'] : [])
  })

  it('opens a row without an id in the page that shows it, and nothing after a reload', () => {
    const index = new RowIndex<null>(() => null)
    index.update([{ results: [null], unreadable: 0, continuation: { kind: 'end' } }])
    const key = index.keyAt(0)
    expect(read(`open=${encodeURIComponent(key)}`).openRowId).toBe(key)
    expect(read('open=%001.0').openRowId).toBeNull()
  })

  it.each(['mode=purple', 'mode=live,test', `search=${'x'.repeat(201)}`])(
    'of which a value means nothing has no rows, not all of them: %s',
    (query) => {
      const view = read(query)
      const [id = ''] = query.split('=')
      expect(Object.keys(view.values)).toEqual([id])
      expect(read(formatView(schema, view))).toEqual(view)
      const plan = planQuery(filters, view, { 'eq:id': true }, context)
      expect(plan.request.filter).toMatch(/^id eq '[0-9a-f-]{36}'$/u)
      // Where the service is not known to find an id, the loaded rows are filtered.
      expect(planQuery(filters, view, {}, context).clientSide.filter).toEqual(plan.requestedFilter)
    },
  )

  it('takes a state that nobody foresaw', () => {
    expect(read('state=Zork').values).toEqual({ state: 'Zork' })
  })
})
