import { KeyCell, LinkCell, showText } from '@/components/data-table/cells'
import { defineList, listColumns } from '@/components/data-table/list-definition'
import { StatusBadge } from '@/components/payments/status-badge'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { buildPagePath } from '@/lib/domain/page-address'
import * as words from '@/lib/words/mandates'

type Mandate = ListRow<'listMandates'>

const pageOf = ({ id, handle }: Mandate) => buildPagePath('/mandates', id || handle)

const column = listColumns<Mandate>()

const columns = column.columns([
  column.accessor('handle', {
    header: words.handle,
    cell: ({ row: { original } }) => (
      <KeyCell value={original.handle} name="handle">
        <LinkCell value={original.handle} page={pageOf(original)} />
      </KeyCell>
    ),
    meta: { width: 'minmax(13.25rem, 1fr)', cardSlot: 'title' },
  }),
  column.accessor('status', {
    header: words.state,
    cell: ({ getValue }) => <StatusBadge status={getValue()} />,
    meta: { width: '8.5rem', cardSlot: 'title-end' },
  }),
  column.accessor('scheme', {
    header: words.scheme,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: '9rem', cardSlot: 'body-end' },
  }),
  column.accessor(({ customer }) => customer?.name, {
    id: 'customer',
    header: words.customer,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(12rem, 1.4fr)', cardSlot: 'body' },
  }),
  column.accessor(({ customer }) => customer?.number, {
    id: 'number',
    header: words.customerNumber,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(9rem, 0.6fr)', cardSlot: 'none' },
  }),
  column.accessor('id', {
    header: words.mandateId,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.mandateIdLabel} />,
    meta: { width: '20rem', minWidth: 'chosen', cardSlot: 'none' },
  }),
])

/** The mandates, with which payers authorize collections. */
export const mandatesTable = defineList({
  list: 'listMandates',
  name: words.mandates,
  rowLabel: ({ handle, id }) => handle || id || 'mandate',
  address: pageOf,
  status: ({ status }) => status,
  columns,
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: words.search,
      placeholder: words.handleCustomerOrNumber,
      fields: ['handle', 'customer/name', 'customer/number'],
    },
    {
      kind: 'choice',
      id: 'state',
      label: words.state,
      field: 'status',
      isOpen: true,
      options: [
        { value: 'Created', label: words.created },
        { value: 'Active', label: words.active },
      ],
    },
    { kind: 'choice', id: 'scheme', label: words.scheme, field: 'scheme', isOpen: true, options: [] },
  ],
  empty: { title: words.noMandatesYet, advice: words.mandateAppearsHereOnce },
})
