import { cleanup, render, screen } from '@testing-library/react'
import * as fc from 'fast-check'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { describe, expect, it } from 'vitest'
import { attachOmissions } from '@/lib/api-contract/record-fields'
import { payment as paymentSchema } from '@/lib/api-contract/payments'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { PaymentDetails, TechnicalDetails } from './payment-details'
import { router } from '@/lib/client/testing/page'

/** docs/upstream-api.md, section 2: payment. */
const documented = (
  'id paymentDate scheduleDate handle description reference amount currency test status settlementDate createdAt modifiedAt ' +
  'customer.id customer.name mandate.id mandate.handle mandate.scheme'
).split(' ')

function show(said: unknown) {
  const { container } = render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <PaymentDetails payment={paymentSchema.parse(said)} at={null} />
        <TechnicalDetails payment={paymentSchema.parse(said)} />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  return (field: string) => container.querySelector(`[data-field="${field}"] dd`)?.textContent ?? null
}

describe('the details of a payment', () => {
  it('show every documented field', () => {
    const read = show({
      id: 'p-1',
      paymentDate: '2026-12-01T00:00:00Z',
      scheduleDate: '2026-11-28T00:00:00Z',
      settlementDate: '2026-12-03T23:00:00Z',
      handle: 'pay_1',
      description: 'Membership',
      reference: 'INV-1',
      amount: 124_500,
      currency: 'DKK',
      test: true,
      status: 'Pending',
      createdAt: '2026-11-01T10:00:00Z',
      modifiedAt: '2026-11-02T10:00:00Z',
      customer: { id: 'c-1', name: 'Jens Holm' },
      mandate: { id: 'm-1', handle: 'md_1', scheme: 'nets-bs' },
    })
    const shown = Object.fromEntries(documented.map((field) => [field, read(field)]))
    expect(shown).toMatchObject({
      id: 'p-1',
      paymentDate: '1 Dec 2026',
      scheduleDate: '28 Nov 2026',
      settlementDate: '4 Dec 2026',
      handle: 'pay_1',
      description: 'Membership',
      reference: 'INV-1',
      amount: '1,245.00\u00A0DKK',
      currency: 'DKK',
      test: 'Test',
      status: 'Pending',
      'customer.id': 'c-1',
      'customer.name': 'Jens Holm',
      'mandate.id': 'm-1',
      'mandate.handle': 'md_1',
      'mandate.scheme': 'nets-bs',
    })
    expect(shown.createdAt).toMatch(/^1 Nov 2026, \d\d:\d\d \S+$/u)
    expect(shown.modifiedAt).toMatch(/^2 Nov 2026, \d\d:\d\d \S+$/u)
    expect(screen.queryByText('Other data from the provider')).toBeNull()
  })

  it('show what nobody foresaw, also inside customer and mandate', () => {
    const read = show({
      id: 'p-1',
      retry: { count: 2 },
      customer: { id: 'c', vip: true },
      mandate: { rank: 'a' },
      note: 'x',
    })
    expect(read('retry')).toBe('{\n  "count": 2\n}')
    expect([read('customer.vip'), read('mandate.rank'), read('note')]).toEqual(['true', 'a', 'x'])
  })

  it('say which parts of a record could not be used, and show nothing of that among what was said', () => {
    const said = { id: 'p-1', amount: [1], metaData: { list: [{ a: 1 }] } }
    attachOmissions(said, [
      { field: 'metaData.list.1.__proto__', why: 'unsafe-key' },
      { field: 'status', why: 'twice' },
    ])
    const read = show(said)
    const note = screen.getByRole('region', { name: 'Parts of this record couldn’t be used' })
    expect(Array.from(note.querySelectorAll('li'), ({ textContent }) => textContent)).toEqual([
      'metaData.list.1.__proto__: left out: its name is reserved by JavaScript',
      'status: left out: sent twice, with different values',
      'amount: not of the documented type, so it’s shown below as it was sent',
    ])
    expect(read('amount (as told)')).toContain('1')
    expect(read('left out by the desk')).toBeNull()
  })

  it('show a dash for what was not said, and never take a missing mode for live', () => {
    const read = show({})
    for (const field of documented.filter((name) => name !== 'test')) expect([field, read(field)]).toEqual([field, '—'])
    expect(read('test')).toBe('Mode not specified')
  })

  it('survive whatever a service says', () => {
    const names = fc.constantFrom(
      'id',
      'amount',
      'currency',
      'status',
      'paymentDate',
      'createdAt',
      'customer',
      'mandate',
      'extra',
    )
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (said) => {
        const read = show(said)
        expect(read('id')).not.toBeNull()
        cleanup()
      }),
      { numRuns: 150 },
    )
  })
})
