import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/collected-payments'
import { defineList } from '../data-table/list-definition'
import { paymentColumn, paymentColumns, stateFilter } from './payment-columns'

/** The payments of one customer or one mandate, on its page. */
export const collectedTable = defineList({
  list: 'listPayments',
  name: words.payments,
  rowLabel: ({ reference, handle, id }) => reference || handle || id || 'payment',
  status: ({ status }) => status,
  address: ({ id }) => writePageAddress('/payments', id),
  columns: paymentColumn.columns([
    paymentColumns.reference({ width: 'minmax(8.75rem, 0.8fr)', card: 'title' }),
    paymentColumns.description({ width: 'minmax(9rem, 1.5fr)', card: 'line' }),
    paymentColumns.amount({ width: '8.5rem', align: 'end', card: 'title-end' }),
    paymentColumns.scheduleDate({ width: '7rem', card: 'line-end' }),
    paymentColumns.state({ width: '8.5rem', card: 'foot' }),
    paymentColumns.mode({ width: '5.25rem', from: 'wide', card: 'none' }),
    paymentColumns.cancellation({ width: '11.25rem', card: 'foot-end' }),
  ]),
  filters: [stateFilter],
  empty: { title: words.noPayments, advice: words.nothingHasBeenCollected },
})
