import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Page } from '@/lib/api-contract/pagination'
import { RowIndex } from './row-index'

type Row = { id: string | null; value: number }

const makePage = (results: Row[], unreadable = 0): Page<Row> => ({
  results,
  unreadable,
  continuation: { kind: 'more', after: 'next' },
})
const row = (id: string | null, value = 0): Row => ({ id, value })
const makeIndex = () => new RowIndex<Row>(({ id }) => id)
const readRows = (index: RowIndex<Row>) => Array.from({ length: index.size }, (_, position) => index.at(position))

// Few ids, so that many repeat.
const anyRow = fc.record({ id: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), value: fc.nat(99) })
const anyPage = fc
  .tuple(fc.array(anyRow, { maxLength: 6 }), fc.nat(2))
  .map(([rows, unreadable]) => makePage(rows, unreadable))
const anyPages = fc.array(anyPage, { maxLength: 5 })

/** A reference implementation: each id at its first position with its last value. */
function readNaively(pages: readonly Page<Row>[]): Row[] {
  const all = pages.flatMap(({ results }) => results)
  const isFirst = (one: Row, at: number) => one.id === null || all.findIndex(({ id }) => id === one.id) === at
  return all.filter(isFirst).map((one) => (one.id === null ? one : (all.findLast(({ id }) => id === one.id) ?? one)))
}

/** Pages after `patchRows`: all rows with an id are the new one. */
function patch(pages: readonly Page<Row>[], fresh: Row): Page<Row>[] {
  return pages.map((page) =>
    page.results.some(({ id }) => id === fresh.id)
      ? { ...page, results: page.results.map((one) => (one.id === fresh.id ? fresh : one)) }
      : page,
  )
}

describe('the rows of all pages', () => {
  it('are each id once, in its first place, with what was said of it last', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const index = makeIndex()
        index.update(pages)
        expect(readRows(index)).toEqual(readNaively(pages))
        expect(index.size + index.repeated).toBe(pages.flatMap(({ results }) => results).length)
        expect(index.unreadable).toBe(pages.reduce((sum, { unreadable }) => sum + unreadable, 0))
      }),
    )
  })

  it('are the same whether pages come one by one, all at once or twice', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const [gradually, atOnce] = [makeIndex(), makeIndex()]
        for (let count = 0; count <= pages.length; count += 1) {
          gradually.update(pages.slice(0, count))
          gradually.update(pages.slice(0, count))
        }
        atOnce.update(pages)
        expect(readRows(gradually)).toEqual(readRows(atOnce))
        for (const count of ['repeated', 'unreadable', 'pagesWithoutNewRows', 'hasMoved'] as const)
          expect(gradually[count]).toBe(atOnce[count])
      }),
    )
  })

  it('follow a patch and tell its places, whatever came before and comes after', () => {
    fc.assert(
      fc.property(anyPages, anyRow, anyPages, (before, fresh, after) => {
        fc.pre(fresh.id !== null)
        const index = makeIndex()
        index.update(before)
        const { generation } = index
        const patched = patch(before, fresh)
        const replaced = index.update(patched)
        expect(readRows(index)).toEqual(readNaively(patched))
        expect(index.generation).toBe(generation)
        const place = index.positionOf(fresh.id ?? '')
        expect([...new Set(replaced)]).toEqual(place < 0 ? [] : [place])
        index.update([...patched, ...after])
        expect(readRows(index)).toEqual(readNaively([...patched, ...after]))
      }),
    )
  })

  it('are counted anew where pages are others than before, and say so', () => {
    fc.assert(
      fc.property(anyPages, anyPages, (before, after) => {
        const [index, other] = [makeIndex(), makeIndex()]
        index.update(before)
        index.update(after)
        other.update(after)
        expect(readRows(index)).toEqual(readRows(other))
        for (const count of ['repeated', 'unreadable', 'pagesWithoutNewRows', 'hasMoved'] as const)
          expect(index[count]).toBe(other[count])
      }),
    )
  })

  it('tell the places of rows that came again on a later page', () => {
    const index = makeIndex()
    const first = makePage([row('a'), row('b')])
    index.update([first])
    expect(index.update([first, makePage([row('c'), row('b', 1)])])).toEqual([1])
  })

  it('stand elsewhere once some were put on top, which is a new generation', () => {
    const index = makeIndex()
    const [first, second] = [makePage([row('a'), row('b')]), makePage([row('c')])]
    index.update([first, second])
    index.update([makePage([row('new'), ...first.results]), second])
    expect(readRows(index).map((one) => one?.id)).toEqual(['new', 'a', 'b', 'c'])
    expect([index.generation, index.repeated, index.hasMoved]).toEqual([1, 0, false])
  })
})

describe('what a walk is judged by', () => {
  it('is whether a later page has a row of an earlier one, not whether a page names its own twice', () => {
    const index = makeIndex()
    const pages = [makePage([row('a'), row('a')]), makePage([row('b'), row('b')])]
    index.update(pages)
    expect([index.hasMoved, index.repeated]).toEqual([false, 2])
    index.update([...pages, makePage([row('a')])])
    expect(index.hasMoved).toBe(true)
  })

  it('is how many pages at the end brought nothing new', () => {
    const index = makeIndex()
    const pages = [makePage([row('a')]), makePage([]), makePage([row('a')])]
    index.update(pages)
    expect(index.pagesWithoutNewRows).toBe(2)
    index.update([...pages, makePage([row('b')])])
    expect(index.pagesWithoutNewRows).toBe(0)
  })
})

describe('keys', () => {
  it('lead to their rows, and back', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const index = makeIndex()
        index.update(pages)
        const positions = Array.from({ length: index.size }, (_, position) => position)
        expect(positions.map((position) => index.positionOf(index.keyAt(position)))).toEqual(positions)
        expect(index.positionOf('never')).toBe(-1)
      }),
    )
  })

  it('of rows without an id lead to no row of another reading, nor of a later order of this one', () => {
    const page = makePage([row(null), row(null)])
    const [index, other] = [makeIndex(), makeIndex()]
    index.update([page])
    other.update([page])
    const key = index.keyAt(1)
    expect([index.positionOf(key), other.positionOf(key)]).toEqual([1, -1])
    index.update([makePage([row('new'), ...page.results])])
    expect(index.positionOf(key)).toBe(-1)
  })

  it('of rows without an id lead to no row after a reload, nor in another tab', async () => {
    const page = makePage([row(null), row('a')])
    const load = async () => {
      vi.resetModules()
      const loaded = await import('./row-index')
      const index = new loaded.RowIndex<Row>(({ id }) => id)
      index.update([page])
      return { index, isStaleKey: loaded.isStaleKey }
    }
    const [before, now] = [await load(), await load()]
    const [stale, current] = [before.index.keyAt(0), now.index.keyAt(0)]
    expect([now.index.positionOf(stale), now.index.positionOf(current)]).toEqual([-1, 0])
    expect([stale, current, now.index.keyAt(1)].map(now.isStaleKey)).toEqual([true, false, false])
  })
})
