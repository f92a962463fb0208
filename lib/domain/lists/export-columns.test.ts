import { expect, it } from 'vitest'
import { customer } from '@/lib/api-contract/customers'
import { exportColumns } from './export-columns'

it.each([[[{ handle: 'md_1', scheme: null, state: null }]], [[{ handle: 'md_1' }, 'md_2']], [null]])(
  'writes the mandates of a customer, also where one cannot be read: %j',
  (mandates) => {
    const column = exportColumns.listCustomers.find(({ id }) => id === 'mandates')
    const context = { amounts: 'minor', schemeZone: 'UTC', zone: 'UTC' } as const
    expect(column?.cells(customer.parse({ mandates }), context)).toEqual([mandates ? JSON.stringify(mandates) : ''])
  },
)
