import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrangeColumns, getTrackStyles, getVisibleColumns } from '@/components/data-table/column-layout'
import { readText, renderRows, spoilRecord } from '@/components/data-table/testing/render-rows'
import { closingTable, paymentsTable } from './payments-table'

const payment = {
  id: '3f2a9c1e-77b1-4d0a-9a51-000000000010',
  paymentDate: '2026-11-22T00:00:00Z',
  scheduleDate: '2026-11-20T00:00:00Z',
  settlementDate: '2026-11-24T00:00:00Z',
  createdAt: '2026-11-01T08:14:22.123Z',
  modifiedAt: '2026-11-02T08:14:22.123Z',
  handle: 'pay_x9',
  description: 'Membership',
  reference: 'INV-2040',
  amount: 124500,
  currency: 'DKK',
  test: false,
  status: 'Pending',
  customer: { id: 'c1', name: 'Åse Mølgaard' },
  mandate: { id: 'm1', handle: 'md_1', scheme: 'nets-bs' },
}

/** The label of the row's cancel button, if any. */
function readButton(status: unknown, mayCancel = true): string | undefined {
  const [html = ''] = renderRows(paymentsTable, [{ ...payment, status }], { mayCancel })
  return /aria-label="(Cancel [^"]*)"/u.exec(html)?.[1]
}

describe('a row of payments', () => {
  it('shows payer, reference, amount with its currency, day, state, scheme and mode', () => {
    const [html = ''] = renderRows(paymentsTable, [payment])
    const text = readText(html)
    for (const part of [
      'Åse Mølgaard',
      'INV-2040',
      '1,245.00',
      'DKK',
      '20 Nov 2026',
      'Pending',
      'Betalingsservice',
      'Live',
    ]) {
      expect(text).toContain(part)
    }
    expect(html).toContain(`data-row-id="${payment.id}"`)
    expect(html).toContain('data-status="Pending"')
  })

  it('never shows what code says of missing things, whatever one field or two hold (UP-20)', () => {
    const rows = renderRows(paymentsTable, spoilRecord(payment))
    expect(rows.length).toBeGreaterThan(200)
    for (const html of rows) expect(readText(html)).not.toMatch(/undefined|NaN|Invalid|\[object|\bnull\b/u)
  })

  it('says "—" where nothing was said (UP-20)', () => {
    const [html = ''] = renderRows(paymentsTable, [{}])
    expect(readText(html).match(/—/gu)?.length).toBeGreaterThanOrEqual(7)
  })

  it('shows a state as it came, whatever it is (UP-18)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-zÆØÅ][\w -]{0,30}$/u), (status) => {
        const [html = ''] = renderRows(paymentsTable, [{ ...payment, status }])
        expect(readText(html)).toContain(status)
        expect(html).toContain(`data-status="${status}"`)
      }),
    )
    const [number = ''] = renderRows(paymentsTable, [{ ...payment, status: 16 }])
    expect(readText(number)).toContain('16')
  })
})

describe('the button in a row', () => {
  it.each(['Pending', 'pending', 'PENDING'])('is there for the state %s', (status) => {
    expect(readButton(status)).toBe('Cancel payment INV-2040')
  })

  it('is not there for a role that may not cancel', () => {
    expect(readButton('Pending', false)).toBeUndefined()
  })

  it('is not there for any state but those that may be cancelled (UP-18)', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant(undefined), fc.object()),
        (status) => {
          fc.pre(typeof status !== 'string' || status.trim().toLowerCase() !== 'pending')
          expect(readButton(status)).toBeUndefined()
        },
      ),
    )
  })
})

describe('the list of what closes', () => {
  const columns = arrangeColumns(closingTable.columns, null)

  it('shows until when each can be cancelled on any screen, and on a phone’s card', () => {
    for (const breakpoint of [-1, 0, 1, 2, 3])
      expect(getVisibleColumns(columns, breakpoint).map(({ id }) => id)).toContain('cutOff')
    expect(columns.find(({ id }) => id === 'cutOff')?.cardSlot).toBe('body-end')
    const slots = columns.map(({ cardSlot }) => cardSlot).filter((slot) => slot !== 'none')
    expect(new Set(slots).size).toBe(slots.length)
  })
})

// In rem: the list on a screen of 1024 pixels, and the breakpoints of data-table.css.
it.each([
  [0, 59.25],
  [1, 65],
  [2, 74],
  [3, 81],
])('no list of payments needs sideways scroll from breakpoint %i on', (breakpoint, room) => {
  for (const { columns } of [paymentsTable, closingTable]) {
    const width = getTrackStyles(arrangeColumns(columns, null), true)[`--dt-width-${breakpoint}`]
    expect(Number.parseFloat(/([\d.]+)rem/u.exec(width ?? '')?.[1] ?? '') + 3).toBeLessThanOrEqual(room)
  }
})
