import { keyCell, linkCell, nothing, showMomentDay, textCell } from '@/components/data-table/cells'
import { defineTable } from '@/components/data-table/define-table'
import type { ListRow } from '@/lib/contract/list-page'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/customers'

type Customer = ListRow<'listCustomers'>

const pageOf = ({ id, handle }: Customer) => writePageAddress('/customers', id || handle)

function mandatesCell({ mandates }: Customer) {
  if (!mandates || mandates.length === 0) return nothing
  return textCell(mandates.map(({ scheme, state }) => `${scheme || nothing} ${state || nothing}`).join(', '))
}

/** The customers, who are the payers. */
export const customersTable = defineTable({
  list: 'listCustomers',
  name: words.customers,
  rowLabel: ({ name, handle, id }) => name || handle || id || 'customer',
  address: pageOf,
  columns: [
    {
      id: 'name',
      header: words.name,
      width: 'minmax(11rem, 1.4fr)',
      sort: 'name',
      card: 'title',
      cell: (customer, facts) => linkCell(customer.name, pageOf(customer), facts),
    },
    {
      id: 'number',
      header: words.number,
      width: 'minmax(6rem, 0.5fr)',
      card: 'title-end',
      cell: ({ number }) => textCell(number),
    },
    {
      id: 'handle',
      header: words.handle,
      width: 'minmax(13.25rem, 0.7fr)',
      card: 'none',
      cell: ({ handle }) => keyCell(handle, 'handle'),
    },
    { id: 'mandates', header: words.mandates, width: 'minmax(11rem, 1.2fr)', card: 'line', cell: mandatesCell },
    {
      id: 'createdAt',
      header: words.created,
      width: '6.875rem',
      sort: 'createdAt',
      card: 'none',
      time: ({ createdAt }, facts) => showMomentDay(createdAt, facts),
    },
    {
      id: 'modifiedAt',
      header: words.modified,
      width: '6.875rem',
      from: 'wide',
      sort: 'modifiedAt',
      card: 'none',
      time: ({ modifiedAt }, facts) => showMomentDay(modifiedAt, facts),
    },
    {
      id: 'id',
      header: words.customerId,
      width: '20rem',
      from: 'chosen',
      card: 'none',
      cell: ({ id }) => keyCell(id, words.customerIdLabel),
    },
  ],
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: words.search,
      placeholder: words.nameNumberOrHandle,
      fields: ['name', 'number', 'handle'],
    },
  ],
  createdField: 'createdAt',
  empty: { title: words.noCustomersYet, advice: words.customersAppearHereOnce },
})
