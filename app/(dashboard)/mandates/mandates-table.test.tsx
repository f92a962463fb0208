import { describe, expect, it } from 'vitest'
import { readText, renderRows, spoilRecord } from '@/components/data-table/testing/render-rows'
import { mandatesTable } from './mandates-table'

const mandate = {
  id: 'm1',
  handle: 'md_1',
  scheme: 'nets-bs',
  status: 'Active',
  schemeData: [],
  customer: { id: 'c1', handle: 'ase', name: 'Åse Mølgaard', number: '1001' },
}

describe('a row of mandates', () => {
  it('shows handle, state, scheme and customer', () => {
    const [html = ''] = renderRows(mandatesTable, [mandate])
    for (const part of ['md_1', 'Active', 'Betalingsservice', 'Åse Mølgaard', '1001'])
      expect(readText(html)).toContain(part)
    expect(html).toContain('data-status="Active"')
  })

  it('never shows what code says of missing things, whatever one field or two hold (UP-20)', () => {
    const rows = renderRows(mandatesTable, spoilRecord(mandate))
    expect(rows.length).toBeGreaterThan(200)
    for (const html of rows) expect(readText(html)).not.toMatch(/undefined|NaN|Invalid|\[object|\bnull\b/u)
  })
})
