import { KeyCell, LinkCell, showText } from '@/components/data-table/cells'
import { SchemeCell } from '@/components/payments/scheme-cell'
import { defineList, listColumns } from '@/components/data-table/list-definition'
import { StatusBadge } from '@/components/payments/status-badge'
import { describeScheme } from '@/lib/domain/schemes'
import { mandateSearch } from '@/lib/domain/lists/text-search'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'

type Mandate = ListRow<'listMandates'>

const pageOf = ({ id, handle }: Mandate) => buildPagePath('/mandates', id || handle)

const column = listColumns<Mandate>()

const columns = column.columns([
  column.accessor('handle', {
    header: m.mandates_handle,
    cell: ({ row: { original } }) => (
      <KeyCell value={original.handle} name={m.payments_keyHandle()}>
        <LinkCell value={original.handle} page={pageOf(original)} />
      </KeyCell>
    ),
    meta: { width: 'minmax(13.25rem, 1fr)', cardSlot: 'title' },
  }),
  column.accessor('status', {
    header: m.mandates_state,
    cell: ({ getValue }) => <StatusBadge status={getValue()} />,
    meta: { width: '8.5rem', cardSlot: 'title-end' },
  }),
  column.accessor('scheme', {
    header: m.mandates_scheme,
    cell: ({ getValue }) => <SchemeCell code={getValue()} />,
    meta: { width: '9rem', cardSlot: 'body-end' },
  }),
  column.accessor(({ customer }) => customer?.name, {
    id: 'customer',
    header: m.mandates_customer,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(12rem, 1.4fr)', cardSlot: 'body' },
  }),
  column.accessor(({ customer }) => customer?.number, {
    id: 'number',
    header: m.mandates_customerNumber,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(9rem, 0.6fr)' },
  }),
  column.accessor('id', {
    header: m.mandates_mandateId,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={m.mandates_mandateIdLabel()} />,
    meta: { width: '20rem', from: 'chosen' },
  }),
])

/** The mandates, with which payers authorize collections. */
export const mandatesTable = defineList({
  listId: 'listMandates',
  name: m.mandates_mandates,
  rowLabel: ({ handle, id }) => handle || id || m.mandates_mandate(),
  address: pageOf,
  status: ({ status }) => status,
  columns,
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: m.mandates_search,
      placeholder: m.mandates_handleCustomerOrNumber,
      search: mandateSearch,
    },
    {
      kind: 'choice',
      id: 'state',
      label: m.mandates_state,
      field: 'status',
      isOpen: true,
      isMultiple: true,
      options: [
        { value: 'Created', label: m.states_created },
        { value: 'Active', label: m.states_active },
      ],
    },
    {
      kind: 'choice',
      id: 'scheme',
      label: m.mandates_scheme,
      field: 'scheme',
      describe: describeScheme,
      isOpen: true,
      isMultiple: true,
      options: [],
    },
  ],
  empty: { title: m.mandates_noMandatesYet, advice: m.mandates_mandateAppearsHereOnce },
})
