import { describe, expect, it } from 'vitest'
import { columnId } from '@/components/data-table/column-layout'
import { listOrders } from '@/lib/domain/lists/list-plan'
import { makeFilter, type TableFilter } from '@/lib/domain/lists/filter-values'
import { orderExport } from '@/components/list-tools/export-form'
import { closingTable, paymentsTable } from '@/components/payments/payments-table'
import { capabilitiesFor, capabilityForOrder, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { exportColumns } from '@/lib/domain/lists/export-columns'
import { customersTable } from './customers/customers-table'
import { mandatesTable } from './mandates/mandates-table'

const context = { zone: 'Europe/Copenhagen', today: '2026-11-25', amounts: 'minor' } as const

/** Values that a person can choose. */
function chooseSome(filter: TableFilter): string[] {
  if (filter.kind === 'days') return ['2026-11-25..2026-12-02']
  if (filter.kind === 'amount') return ['100..500', '100']
  if (filter.kind === 'choice') return [filter.options[0]?.value ?? 'some']
  return ['some words', '12.50', '3f2b8f0e-7c1d-4a55-9d2e-0c6a1b7f9e10']
}

const tables = { paymentsTable, closingTable, customersTable, mandatesTable }

describe.each(Object.entries(tables))('%s', (_name, { listId, filters, columns }) => {
  it('has a column in its export for each of its own', () => {
    const known = exportColumns[listId].map(({ id }) => id)
    const ids = columns.map(columnId).filter((id) => id !== 'cancellation' && id !== 'cutOff')
    expect(orderExport(listId, ids, known).shown).toHaveLength(ids.length)
  })

  it.each(filters.flatMap((filter) => chooseSome(filter).map((value) => [filter.id, value, filter] as const)))(
    'asks whether the service can do its filter %s of %s',
    (id, value, filter) => {
      const made = makeFilter(filter, { currency: 'DKK', [id]: value }, context)
      if (!made) throw new Error('The value means no filter.')
      expect(usedCapabilities[listId]).toEqual(expect.arrayContaining(capabilitiesFor(made)))
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
