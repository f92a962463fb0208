import { describe, expect, it } from 'vitest'
import { columnId } from '@/components/data-table/column-layout'
import { listOrders } from '@/components/data-table/table-view'
import { makeFilter, type TableFilter } from '@/components/list-filters/filter-values'
import { orderExport } from '@/components/list-tools/export-form'
import { closingTable, paymentsTable } from '@/components/payments/payments-table'
import { capabilitiesFor, capabilityForOrder, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { exportColumns } from '@/lib/domain/lists/export-columns'
import { customersTable } from './customers/customers-table'
import { mandatesTable } from './mandates/mandates-table'

const context = { zone: 'Europe/Copenhagen', today: '2026-11-25', amounts: 'minor' } as const

/** A value that a person can choose. */
function chooseSome(filter: TableFilter): string {
  if (filter.kind === 'days') return '2026-11-25..2026-12-02'
  if (filter.kind === 'amount') return '100..500'
  return filter.kind === 'choice' ? (filter.options[0]?.value ?? 'some') : 'some words'
}

describe.each([paymentsTable, closingTable, customersTable, mandatesTable])('the list $listId', (table) => {
  const { listId, filters, columns } = table

  it('has a column in its export for each of its own', () => {
    const known = exportColumns[listId].map(({ id }) => id)
    const ids = columns.map(columnId).filter((id) => id !== 'cancellation' && id !== 'cutOff')
    expect(orderExport(listId, ids, known).shown).toHaveLength(ids.length)
  })

  it.each(filters.map((filter) => [filter.id, filter] as const))(
    'asks whether the service can do its filter %s',
    (id, filter) => {
      const made = makeFilter(filter, { currency: 'DKK', [id]: chooseSome(filter) }, context)
      expect(made && usedCapabilities[listId]).toEqual(expect.arrayContaining(made ? capabilitiesFor(made) : []))
    },
  )

  it.each(columns.filter(({ enableSorting }) => enableSorting).map(columnId))(
    'asks whether the service can sort it by %s',
    (field) => {
      const orders = listOrders(filters, { values: {}, sorting: { field, direction: 'asc' } })
      expect(usedCapabilities[listId]).toContain(capabilityForOrder(orders))
    },
  )
})
