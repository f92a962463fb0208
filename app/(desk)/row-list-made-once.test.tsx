// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it } from 'vitest'
import type { FirstRows } from '@/components/data-table/first-rows'
import { useRowList } from '@/components/data-table/use-row-list'
import { customersTable } from './customers/customers-table'

const results = [{ id: 'c1', handle: 'h1', name: 'Name', mandates: [] }]
const page = JSON.stringify({ results, unreadable: 0, continuation: { kind: 'more', after: 'c1' } })

let first: FirstRows
let lists: unknown[]

function Probe({ filter }: { filter?: string }) {
  const ask = filter === undefined ? {} : { filter }
  const plan = { ask, asked: null, rest: { filter: null, order: null }, abilities: [], mindsCase: false }
  const address = `/customers?${filter ?? ''}`
  const { list } = useRowList({ table: customersTable, address, plan, proofs: {}, first, doubt: () => undefined })
  lists.push(list)
  return <p>{list.size}</p>
}

/** Draws it without showing it, as React does before it begins anew. */
const drawAlone = (filter?: string) => renderToStaticMarkup(<Probe {...(filter !== undefined && { filter })} />)

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  first = { ask: '{}', result: { page } }
  lists = []
})

it('is the same list for a page that is drawn anew before it is shown, and another one after that', () => {
  drawAlone()
  drawAlone()
  const root = createRoot(document.createElement('div'))
  act(() => root.render(<Probe />))
  expect(new Set(lists).size).toBe(1)
  act(() => root.unmount())
  drawAlone()
  expect(new Set(lists).size).toBe(2)
})

it('is another list where the page that is shown asks for something else', () => {
  expect(drawAlone()).toBe('<p>1</p>')
  expect(drawAlone("name eq 'x'")).toBe('<p>0</p>')
  expect(new Set(lists).size).toBe(2)
})
