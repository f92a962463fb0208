import { stateBadge } from '@/components/payments/status-badge'
import { keyCell, linkCell, textCell } from '@/components/data-table/cells'
import { defineTable } from '@/components/data-table/define-table'
import type { ListRow } from '@/lib/contract/list-page'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/mandates'

const pageOf = ({ id, handle }: ListRow<'listMandates'>) => writePageAddress('/mandates', id || handle)

/** The mandates, by which payers permit collection. */
export const mandatesTable = defineTable({
  list: 'listMandates',
  name: words.mandates,
  rowLabel: ({ handle, id }) => handle || id || 'mandate',
  address: pageOf,
  status: ({ status }) => status,
  columns: [
    {
      id: 'handle',
      header: words.handle,
      width: 'minmax(13.25rem, 1fr)',
      card: 'title',
      cell: (mandate, facts) => keyCell(mandate.handle, 'handle', linkCell(mandate.handle, pageOf(mandate), facts)),
    },
    {
      id: 'status',
      header: words.state,
      width: '8.5rem',
      card: 'title-end',
      cell: ({ status }, { cancelled }) => stateBadge(status, cancelled),
    },
    { id: 'scheme', header: words.scheme, width: '9rem', card: 'line-end', cell: ({ scheme }) => textCell(scheme) },
    {
      id: 'customer',
      header: words.customer,
      width: 'minmax(12rem, 1.4fr)',
      card: 'line',
      cell: ({ customer }) => textCell(customer?.name),
    },
    {
      id: 'number',
      header: words.customerNumber,
      width: 'minmax(9rem, 0.6fr)',
      card: 'none',
      cell: ({ customer }) => textCell(customer?.number),
    },
    {
      id: 'id',
      header: words.mandateId,
      width: '20rem',
      from: 'chosen',
      card: 'none',
      cell: ({ id }) => keyCell(id, words.mandateIdLabel),
    },
  ],
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
