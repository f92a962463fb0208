import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Page } from '@/lib/api-contract/pagination'
import { type ClientSideRules, ClientSideRows } from './client-side-rows'
import { RowIndex } from './row-index'

type Row = { id: string; value: number }

const continuation = { kind: 'end' } as const
const makePage = (results: Row[]): Page<Row> => ({ results, unreadable: 0, continuation })
const makeRows = (count: number, value: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, value: value(at) }))

const matches = ({ value }: Row) => value % 3 !== 0
const compare = (left: Row, right: Row) => left.value - right.value
const everyRule: ClientSideRules<Row>[] = [
  { name: 'all' },
  { name: 'filter', matches },
  { name: 'order', compare },
  { name: 'both', matches, compare },
]

const readAll = (local: ClientSideRows<Row>) => Array.from({ length: local.size }, (_, at) => local.positionAt(at))

/** Equal rows keep the API's order. */
function readNaively(index: RowIndex<Row>, rules: ClientSideRules<Row>): number[] {
  const rankOf = (position: number) => index.at(position) ?? { id: '', value: 0 }
  const positions = Array.from({ length: index.size }, (_, position) => position)
  return positions
    .filter((position) => rules.matches?.(rankOf(position)) ?? true)
    .toSorted((left, right) => rules.compare?.(rankOf(left), rankOf(right)) || left - right)
}

// Few values, so that many rows are equal.
const anyPage = fc
  .array(fc.record({ id: fc.nat(30).map((n) => `r${n}`), value: fc.nat(8) }), { maxLength: 12 })
  .map(makePage)
const anyStep = fc.oneof(
  anyPage.map((page) => ({ kind: 'page' as const, page })),
  fc.record({ kind: fc.constant('patch' as const), id: fc.nat(30).map((n) => `r${n}`), value: fc.nat(8) }),
  anyPage.map(({ results }) => ({ kind: 'on top' as const, results })),
)

describe.each(everyRule)('rows by the rules "$name"', (rules) => {
  it('are those of a filter and a sort of all rows, whatever comes, changes or is put on top', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
        const index = new RowIndex<Row>(({ id }) => id)
        const local = new ClientSideRows(index, rules)
        let pages: Page<Row>[] = []
        for (const step of steps) {
          if (step.kind === 'page') pages = [...pages, step.page]
          else if (step.kind === 'patch') {
            const fresh = { id: step.id, value: step.value }
            pages = pages.map((page) =>
              page.results.some(({ id }) => id === fresh.id)
                ? { ...page, results: page.results.map((row) => (row.id === fresh.id ? fresh : row)) }
                : page,
            )
          } else {
            const [first, ...others] = pages
            if (first) pages = [{ ...first, results: [...step.results, ...first.results] }, ...others]
          }
          local.replace(index.update(pages))
          expect(local.advance()).toBe(true)
          const expected = readNaively(index, rules)
          expect(readAll(local)).toEqual(expected)
          for (let position = 0; position < index.size; position += 1)
            expect(local.indexOf(position)).toBe(expected.indexOf(position))
        }
      }),
    )
  })

  it('are taken in by slices, also where some change in between, and shown when the first are there, and when all are', () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 2))
    const index = new RowIndex<Row>(({ id }) => id)
    const local = new ClientSideRows(index, rules)
    const page = makePage(makeRows(10_000, (at) => (at * 7919) % 1_009))
    index.update([page])
    const sizes: number[] = []
    for (let isWhole = false; !isWhole; ) {
      isWhole = local.advance()
      sizes.push(local.size)
      if (sizes.length !== 3) continue
      const results = page.results.map((row, at) => (at % 500 === 0 ? { ...row, value: row.value + 600 } : row))
      local.replace(index.update([{ ...page, results }]))
    }
    vi.restoreAllMocks()
    const expected = readNaively(index, rules)
    expect(sizes.length).toBeGreaterThan(5)
    expect([new Set(sizes).size <= 3, sizes.at(-1)]).toEqual([true, expected.length])
    expect(readAll(local)).toEqual(expected)
  })
})

it('compares that are no numbers leave rows as the service gave them', () => {
  const index = new RowIndex<Row>(({ id }) => id)
  const local = new ClientSideRows(index, { name: 'none', compare: () => Number.NaN })
  index.update([makePage(makeRows(20, (at) => -at))])
  local.advance()
  expect(readAll(local)).toEqual(Array.from({ length: 20 }, (_, at) => at))
})
