import { describe, expect, it } from 'vitest'
import { RowIndex } from '@/lib/client/row-index'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { TableFilter } from '../list-filters/filter-values'
import { planQuery, parseView, formatView } from './table-view'

const context = { zone: 'Europe/Copenhagen', today: '2026-11-25', amounts: 'minor' } as const

const filters: TableFilter[] = [
  {
    kind: 'text',
    id: 'search',
    label: () => 'Search',
    placeholder: () => '',
    search: { parts: ['customer/name', 'reference'] },
  },
  {
    kind: 'choice',
    id: 'state',
    label: () => 'State',
    field: 'status',
    isOpen: true,
    options: [{ value: 'Pending', label: () => 'Pending' }],
  },
  {
    kind: 'choice',
    id: 'mode',
    label: () => 'Mode',
    field: 'test',
    options: [{ value: 'live', label: () => 'Live', is: false }],
  },
]
const schema = {
  filters,
  columns: [
    { accessorKey: 'createdAt', meta: { width: '1rem', isSortable: true } },
    { id: 'customer/name', meta: { width: '1rem', isSortable: true } },
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

describe('the plan of a view', () => {
  const view = read('search=ann&state=Pending&mode=live&sort=-createdAt')
  const proven = (...abilities: string[]): CapabilityProofs =>
    Object.fromEntries(abilities.map((ability) => [ability, true]))
  const search = ['contains:customer/name', 'contains:reference', 'or']

  it('asks the service for everything where everything is proven', () => {
    const plan = planQuery(filters, view, proven(...search, 'eq:status', 'eq:test', 'and', 'order:createdAt'), context)
    expect(plan.request).toEqual({
      filter: "(contains(customer/name,'ann') or contains(reference,'ann')) and status eq 'Pending' and test eq false",
      orderby: 'createdAt desc',
    })
    expect(plan.requestedOrders).toEqual([{ field: 'createdAt', direction: 'desc' }])
    expect(plan.clientSide).toEqual({ filter: null, orders: [] })
  })

  it('tells that case-sensitive where the service was found to mind them', () => {
    const minding = { ...proven(...search, 'eq:status'), 'anycase:reference': false }
    expect(planQuery(filters, read('search=ann'), minding, context).isCaseSensitive).toBe(true)
    expect(planQuery(filters, read('state=Pending'), minding, context).isCaseSensitive).toBe(false)
    // Client-side filters ignore case.
    expect(planQuery(filters, read('search=ann'), { 'anycase:reference': false }, context).isCaseSensitive).toBe(false)
  })

  it('asks for nothing where nothing is proven, and does all of it with the loaded rows', () => {
    const plan = planQuery(filters, view, { 'eq:status': false }, context)
    expect(plan.request).toEqual({})
    expect(plan.requiredCapabilities).toEqual([])
    expect(plan.clientSide.orders).toEqual([{ field: 'createdAt', direction: 'desc' }])
    expect(plan.clientSide.filter).toMatchObject({ kind: 'and', filters: { length: 3 } })
  })

  it('asks for one filter only where joining them is not proven', () => {
    const plan = planQuery(filters, view, proven('eq:status', 'eq:test'), context)
    expect(plan.request).toEqual({ filter: "status eq 'Pending'" })
    expect(plan.clientSide.filter).toMatchObject({ kind: 'and', filters: { length: 2 } })
  })

  it('does not search in half of the fields', () => {
    const plan = planQuery(filters, read('search=ann'), proven('contains:customer/name', 'or'), context)
    expect(plan.request).toEqual({})
  })
})
