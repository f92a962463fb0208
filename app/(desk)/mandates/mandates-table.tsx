import { StatusBadge } from '@/components/payments/status-badge'
import { keyCell, textCell } from '@/components/data-table/cells'
import { defineTable } from '@/components/data-table/define-table'
import type { ListRow } from '@/lib/contract/list-page'
import { writePageAddress } from '@/lib/format/page-address'

const pageOf = ({ id, handle }: ListRow<'listMandates'>) => writePageAddress('/mandates', id || handle)

/** The mandates, by which payers permit collection. */
export const mandatesTable = defineTable({
  list: 'listMandates',
  name: 'Mandates',
  rowLabel: ({ handle, id }) => handle || id || 'mandate',
  address: pageOf,
  status: ({ status }) => status,
  columns: [
    {
      id: 'handle',
      header: 'Handle',
      width: 'minmax(11.5rem, 1fr)',
      card: 'title',
      cell: ({ handle }) => keyCell(handle, 'handle'),
    },
    {
      id: 'status',
      header: 'State',
      width: '10rem',
      card: 'title-end',
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    { id: 'scheme', header: 'Scheme', width: '9rem', card: 'line-end', cell: ({ scheme }) => textCell(scheme) },
    {
      id: 'customer',
      header: 'Customer',
      width: 'minmax(12rem, 1.4fr)',
      card: 'line',
      cell: ({ customer }) => textCell(customer?.name),
    },
    {
      id: 'number',
      header: 'Customer number',
      width: 'minmax(8rem, 0.8fr)',
      card: 'none',
      cell: ({ customer }) => textCell(customer?.number),
    },
    {
      id: 'id',
      header: 'Mandate id',
      width: '20rem',
      from: 'chosen',
      card: 'none',
      cell: ({ id }) => keyCell(id, 'mandate id'),
    },
  ],
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: 'Search',
      placeholder: 'Handle, customer or number',
      fields: ['handle', 'customer/name', 'customer/number'],
    },
    {
      kind: 'choice',
      id: 'state',
      label: 'State',
      field: 'status',
      isOpen: true,
      options: [
        { value: 'Created', label: 'Created' },
        { value: 'Active', label: 'Active' },
      ],
    },
    { kind: 'choice', id: 'scheme', label: 'Scheme', field: 'scheme', isOpen: true, options: [] },
  ],
  empty: { title: 'No mandates yet', advice: 'A mandate appears here once a customer has given one.' },
})
