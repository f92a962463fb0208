import { expect, it } from 'vitest'
import { pickExportColumns } from '@/lib/domain/lists/export-columns'
import { orderExport } from './export-form'

it('puts the columns that the list shows first, in its order, and the others behind them', () => {
  const order = orderExport(
    'listPayments',
    ['amount', 'payer', 'cancellation', 'id'],
    ['id', 'status', 'amount', 'customer_name'],
  )
  expect(order).toEqual({
    shown: ['amount', 'customer_name', 'id'],
    all: ['amount', 'customer_name', 'id', 'status'],
  })
  expect(pickExportColumns('listPayments', order.shown).map(({ id }) => id)).toEqual(order.shown)
})
