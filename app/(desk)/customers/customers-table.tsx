import { momentCell, nothing, textCell } from '@/components/data-table/cells'
import { defineTable } from '@/components/data-table/define-table'
import type { ListRow } from '@/lib/contract/list-page'
import { writePageAddress } from '@/lib/format/page-address'

type Customer = ListRow<'listCustomers'>

const pageOf = ({ id, handle }: Customer) => writePageAddress('/customers', id || handle)

function mandatesCell({ mandates }: Customer) {
  if (!mandates || mandates.length === 0) return nothing
  return mandates.map(({ scheme, state }) => `${scheme || nothing} ${state || nothing}`).join(', ')
}

/** The customers, who are the payers. */
export const customersTable = defineTable({
  list: 'listCustomers',
  name: 'Customers',
  rowLabel: ({ name, handle, id }) => name || handle || id || 'customer',
  address: pageOf,
  columns: [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(12rem, 1.4fr)',
      sort: 'name',
      card: 'title',
      cell: ({ name }) => textCell(name),
    },
    {
      id: 'number',
      header: 'Number',
      width: 'minmax(7rem, 0.7fr)',
      card: 'title-end',
      cell: ({ number }) => textCell(number),
    },
    {
      id: 'handle',
      header: 'Handle',
      width: 'minmax(9rem, 0.9fr)',
      card: 'none',
      cell: ({ handle }) => textCell(handle),
    },
    { id: 'mandates', header: 'Mandates', width: 'minmax(11rem, 1.2fr)', card: 'line', cell: mandatesCell },
    {
      id: 'createdAt',
      header: 'Created',
      width: '12rem',
      sort: 'createdAt',
      card: 'none',
      cell: ({ createdAt }, facts) => momentCell(createdAt, facts),
    },
    {
      id: 'modifiedAt',
      header: 'Modified',
      width: '12rem',
      sort: 'modifiedAt',
      card: 'none',
      cell: ({ modifiedAt }, facts) => momentCell(modifiedAt, facts),
    },
  ],
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: 'Search',
      placeholder: 'Name, number or handle',
      fields: ['name', 'number', 'handle'],
    },
  ],
  createdField: 'createdAt',
  empty: { title: 'No customers yet', advice: 'Customers appear here once the service has some.' },
})
