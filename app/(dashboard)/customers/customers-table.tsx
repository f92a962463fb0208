import { KeyCell, LinkCell, TimestampCell, emptyValue, showText } from '@/components/data-table/cells'
import { defineList, listColumns } from '@/components/data-table/list-definition'
import { nameScheme } from '@/lib/domain/schemes'
import { describeState } from '@/lib/domain/states'
import { customerSearch } from '@/lib/domain/lists/text-search'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'

type Customer = ListRow<'listCustomers'>

const pageOf = ({ id, handle }: Customer) => buildPagePath('/customers', id || handle)

function formatMandates({ mandates }: Customer): string {
  return (mandates ?? [])
    .map(
      ({ scheme, state }) =>
        `${nameScheme(scheme ?? '') ?? (scheme || emptyValue)} ${state ? describeState(state) : emptyValue}`,
    )
    .join(', ')
}

const column = listColumns<Customer>()

const columns = column.columns([
  column.accessor('name', {
    header: m.customers_name,
    cell: ({ row }) => <LinkCell value={row.original.name} page={pageOf(row.original)} />,
    enableSorting: true,
    meta: { width: 'minmax(11rem, 1.4fr)', cardSlot: 'title' },
  }),
  column.accessor('number', {
    header: m.customers_number,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(6rem, 0.5fr)', cardSlot: 'title-end' },
  }),
  column.accessor('handle', {
    header: m.customers_handle,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={m.payments_keyHandle()} />,
    meta: { width: 'minmax(13.25rem, 0.7fr)' },
  }),
  column.accessor(formatMandates, {
    id: 'mandates',
    header: m.customers_mandates,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(11rem, 1.2fr)', cardSlot: 'body' },
  }),
  column.accessor('createdAt', {
    header: m.customers_created,
    cell: ({ getValue }) => <TimestampCell value={getValue()} />,
    enableSorting: true,
    meta: { width: '6.875rem' },
  }),
  column.accessor('modifiedAt', {
    header: m.customers_modified,
    cell: ({ getValue }) => <TimestampCell value={getValue()} />,
    enableSorting: true,
    meta: { width: '6.875rem', from: 'wide' },
  }),
  column.accessor('id', {
    header: m.customers_customerId,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={m.customers_customerIdLabel()} />,
    meta: { width: '20rem', from: 'chosen' },
  }),
])

/** The customers (payers). */
export const customersTable = defineList({
  listId: 'listCustomers',
  name: m.customers_customers,
  rowLabel: ({ name, handle, id }) => name || handle || id || m.customers_customer(),
  address: pageOf,
  columns,
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: m.customers_search,
      placeholder: m.customers_nameNumberOrHandle,
      search: customerSearch,
    },
    { kind: 'days', id: 'created', label: m.filters_created, field: 'createdAt' },
  ],
  empty: { title: m.customers_noCustomersYet, advice: m.customers_customersAppearHereOnce },
})
