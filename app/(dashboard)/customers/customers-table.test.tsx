import { describe, expect, it } from 'vitest'
import { readText, renderRows, spoilRecord } from '@/components/data-table/testing/render-rows'
import { customersTable } from './customers-table'

const customer = {
  id: 'c1',
  name: 'Åse Mølgaard',
  handle: 'ase',
  number: '1001',
  createdAt: '2026-11-01T08:14:22Z',
  modifiedAt: '2026-11-02T08:14:22Z',
  mandates: [
    { handle: 'md_1', scheme: 'nets-bs', state: 'Created' },
    { handle: 'md_2', scheme: 'nets-ls', state: 'Active' },
  ],
}

describe('a row of customers', () => {
  it('shows name, number, handle and the mandates with their states', () => {
    const [html = ''] = renderRows(customersTable, [customer])
    for (const part of [
      'Åse Mølgaard',
      '1001',
      'ase',
      'Betalingsservice Created, Leverandørservice Active',
      '1 Nov 2026',
    ]) {
      expect(readText(html)).toContain(part)
    }
  })

  it('never shows what code says of missing things, whatever one field or two hold (UP-20)', () => {
    const mandates = [[null], [{}], [{ scheme: 7 }], ['text'], [{ handle: null, scheme: null, state: {} }]]
    const rows = renderRows(customersTable, [
      ...spoilRecord(customer),
      ...mandates.map((list) => ({ ...customer, mandates: list })),
    ])
    expect(rows.length).toBeGreaterThan(200)
    for (const html of rows) expect(readText(html)).not.toMatch(/undefined|NaN|Invalid|\[object|\bnull\b/u)
  })
})
