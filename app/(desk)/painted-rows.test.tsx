// @vitest-environment jsdom
import fc from 'fast-check'
import type { ReactNode } from 'react'
import type { CancellationView } from '@/lib/contract/cancellation'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { customersTable } from './customers/customers-table'
import { mandatesTable } from './mandates/mandates-table'
import { paymentsTable } from './payments/payments-table'
import { collectedTable } from '@/components/payments/collected-table'
import { paint, type Painted, paintOver } from '@/components/data-table/paint-element'
import { writeHtml } from '@/components/data-table/write-html'
import { cellFacts, drawRows, spoilRecord } from '@/components/data-table/testing/render-rows'

const payment = {
  id: 'p1',
  scheduleDate: '2026-11-20T00:00:00Z',
  paymentDate: '2026-11-22T00:00:00Z',
  settlementDate: '2026-11-24T00:00:00Z',
  createdAt: '2026-11-01T08:14:22.123Z',
  modifiedAt: '2026-11-02T08:14:22.123Z',
  handle: 'pay_x9',
  description: 'Membership \u202E reversed',
  reference: 'INV-2040',
  amount: 124500,
  currency: 'DKK',
  test: true,
  status: 'Pending',
  customer: { id: 'c1', name: 'Åse Mølgaard', number: '7' },
  mandate: { id: 'm1', handle: 'md_1', scheme: 'nets-bs' },
}
const customer = { id: 'c1', name: 'محمد', number: '7', handle: 'cus_1', mandates: [{ scheme: 'x', state: 'active' }] }
const mandate = { id: 'm1', handle: 'md_1', scheme: 'nets-bs', status: 'Active', customer: { id: 'c1', name: 'Åse' } }

const outcomes = ['sending', 'requested', 'cancelled', 'not-cancelled', 'unknown', 'needs-person'] as const

function factsWith(outcome: (typeof outcomes)[number]): typeof cellFacts {
  const view = { paymentId: 'p1', outcome, reason: null, detail: null } as unknown as CancellationView
  return { ...cellFacts, findCancellation: () => view } as unknown as typeof cellFacts
}

const rows: Painted[] = [
  ...drawRows(paymentsTable, [payment, ...spoilRecord(payment).slice(0, 300)]),
  ...drawRows(collectedTable, [payment]),
  ...drawRows(paymentsTable, [payment], { isSelected: true, isOpen: true }),
  ...drawRows(paymentsTable, [payment], {
    isSelected: null,
    isTabStop: true,
    columns: paymentsTable.columns.slice(2, 9),
  }),
  ...outcomes.flatMap((outcome) => drawRows(paymentsTable, [payment], { facts: factsWith(outcome) })),
  ...drawRows(customersTable, [customer, ...spoilRecord(customer)]),
  ...drawRows(mandatesTable, [mandate, ...spoilRecord(mandate)]),
]
const anyRow = fc.integer({ min: 0, max: rows.length - 1 }).map((index) => rows[index] as Painted)

function parse(row: Painted): HTMLElement {
  const template = document.createElement('template')
  template.innerHTML = renderToStaticMarkup(row)
  return template.content.firstElementChild as HTMLElement
}

/** What stands in the page: the tick is a property, and lengths are written in more than one way. */
function read(element: Element): string {
  const copy = element.cloneNode(true) as HTMLElement
  copy.removeAttribute('style')
  copy.querySelector('input')?.removeAttribute('checked')
  copy.normalize()
  // The order of attributes means nothing.
  for (const one of [copy, ...copy.querySelectorAll('*')]) {
    const all = [...one.attributes].map(({ name, value }) => [name, value] as const)
    for (const [name] of all) one.removeAttribute(name)
    for (const [name, value] of all.toSorted(([a], [b]) => (a < b ? -1 : 1))) one.setAttribute(name, value)
  }
  return copy.outerHTML
}

describe('paint', () => {
  it('draws what React would write', () => {
    expect(rows.length).toBeGreaterThan(400)
    for (const row of rows) expect(read(paint(row) as HTMLElement)).toBe(read(parse(row)))
  })

  it('takes elements and text alone', () => {
    const Part = () => <b>x</b>
    const row = (
      <div>
        <Part />
      </div>
    )
    expect(() => paint(row as Painted)).toThrow(TypeError)
  })

  it('makes text of text, and of numbers, and of nothing nothing', () => {
    const row = (
      <p title={undefined} data-end="">
        {0}
        {null}
        {'<b>'}
        {false}
        {[' ', 'x']}
      </p>
    ) as Painted
    expect((paint(row) as HTMLElement).outerHTML).toBe('<p data-end="">0&lt;b&gt; x</p>')
  })
})

describe('writeHtml', () => {
  it('writes the cells that React would write', () => {
    for (const row of rows) {
      const written = parse(row)
      written.innerHTML = writeHtml(row.props['children'] as ReactNode)
      expect(read(written)).toBe(read(parse(row)))
    }
  })

  it('writes any text as text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('<b>', '"', "'", '&amp;', '</p>', '-->'),
        (text, sign) => {
          const odd = `${text}${sign}${text}`.replaceAll(/[\0\r]/gu, '')
          const page = document.createElement('div')
          page.innerHTML = writeHtml(<p title={odd}>{odd}</p>)
          expect(page.children).toHaveLength(1)
          expect(page.firstElementChild?.getAttribute('title')).toBe(odd)
          expect(page.textContent).toBe(odd)
        },
      ),
    )
  })

  it('takes elements, text and attributes of text alone', () => {
    const Part = () => <b>x</b>
    expect(() => writeHtml(<Part />)).toThrow(TypeError)
    expect(() => writeHtml(<b style={{ top: 0 }} />)).toThrow(TypeError)
    expect(() => writeHtml(<b hidden={false} />)).toThrow(TypeError)
    expect(writeHtml(<b aria-hidden={false} />)).toBe('<b aria-hidden="false"></b>')
    expect(
      writeHtml([<input key="1" type="checkbox" checked readOnly={undefined} onChange={() => undefined} />, 0, null]),
    ).toBe('<input type="checkbox" checked="">0')
  })
})

describe('paintOver', () => {
  it('leaves what the later row alone would be, whatever was there', () => {
    fc.assert(
      fc.property(anyRow, anyRow, anyRow, (first, second, third) => {
        const element = paint(first) as HTMLElement
        paintOver(element, first, second)
        expect(read(element)).toBe(read(paint(second) as HTMLElement))
        paintOver(element, second, third)
        expect(read(element)).toBe(read(paint(third) as HTMLElement))
      }),
      { numRuns: 300 },
    )
  })

  it('does so over a row of the server too', () => {
    fc.assert(
      fc.property(anyRow, anyRow, (first, second) => {
        const element = parse(first)
        paintOver(element, first, second)
        expect(read(element)).toBe(read(paint(second) as HTMLElement))
      }),
    )
  })

  it('keeps the elements, so that a cell keeps the focus', () => {
    const [first, second] = drawRows(paymentsTable, [payment, { ...payment, id: 'p2', reference: 'INV-2041' }]) as [
      Painted,
      Painted,
    ]
    const element = paint(first) as HTMLElement
    const cells = [...element.querySelectorAll('*')]
    paintOver(element, first, second)
    expect([...element.querySelectorAll('*')]).toEqual(cells)
    expect(element.textContent).toContain('INV-2041')
  })

  it('ticks what the reader ticked otherwise', () => {
    const row = (<input type="checkbox" checked={false} readOnly />) as Painted
    const box = paint(row) as HTMLInputElement
    box.checked = true
    paintOver(box, row, row)
    expect(box.checked).toBe(false)
  })

  it('takes away what is said no more', () => {
    const [first, second] = [<i key="" style={{ top: '1px' }} title="x" />, <i key="" />] as Painted[]
    const element = paint(first as Painted) as HTMLElement
    paintOver(element, first as Painted, second as Painted)
    expect(element.style.top).toBe('')
    expect(element.hasAttribute('title')).toBe(false)
  })

  it('draws over what a translation of the browser made of it', () => {
    const isSaid = fc.property(anyRow, anyRow, (first, second) => {
      const element = paint(first) as HTMLElement
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      while (texts.nextNode()) found.push(texts.currentNode as Text)
      for (const text of found) {
        const font = document.createElement('font')
        text.replaceWith(font)
        font.append('translated')
      }
      paintOver(element, first, second)
      // What stayed the same stays translated; what is another is what the row says.
      const known = new Set(found.map(({ data }) => data))
      const said: string[] = []
      const after = document.createTreeWalker(paint(second), NodeFilter.SHOW_TEXT)
      while (after.nextNode()) said.push((after.currentNode as Text).data)
      const isTold = (text: string) => known.has(text) || element.textContent.includes(text)
      return said.every(isTold)
    })
    expect(fc.check(isSaid).failed).toBe(false)
  })
})
