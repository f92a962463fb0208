import { expect, it } from 'vitest'
import { orderExport } from '@/components/list-tools/export-form'
import { columnId } from '@/components/data-table/column-layout'
import { exportColumns } from '@/lib/domain/lists/export-columns'
import { customersTable } from './customers/customers-table'
import { mandatesTable } from './mandates/mandates-table'
import { paymentsTable } from '@/components/payments/payments-table'

it.each([paymentsTable, customersTable, mandatesTable])(
  'knows the name of each column of $name in an export',
  (table) => {
    const known = exportColumns[table.listId].map(({ id }) => id)
    const columns = table.columns.map(columnId).filter((id) => id !== 'cancellation' && id !== 'cutOff')
    expect(orderExport(table.listId, columns, known).shown).toHaveLength(columns.length)
  },
)
