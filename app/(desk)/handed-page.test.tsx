// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FirstRows, HandedPage } from '@/components/data-table/first-rows'
import { useRowList } from '@/components/data-table/use-row-list'
import { customersTable } from './customers/customers-table'

const writePage = (id: string, after: string | null) =>
  JSON.stringify({
    results: [{ id, handle: id, name: id, mandates: [] }],
    unreadable: 0,
    continuation: after === null ? { kind: 'end' } : { kind: 'more', after },
  })

let root: Root
let shown: ReturnType<typeof useRowList<'listCustomers'>>[]

function Probe({ first }: { first: FirstRows }) {
  const plan = { ask: {}, asked: null, rest: { filter: null, order: null }, abilities: [], mindsCase: false }
  const kept = useRowList({
    table: customersTable,
    address: '/customers',
    plan,
    proofs: {},
    first,
    doubt: () => undefined,
  })
  shown.push(kept)
  return null
}

const show = (next: Promise<HandedPage>) =>
  act(async () => root.render(<Probe first={{ ask: '{}', result: { page: writePage('c1', 'c1') }, next }} />))
function list() {
  const last = shown.at(-1)
  if (!last) throw new Error('Nothing is shown.')
  return last.list
}
const keys = () => Array.from({ length: list().size }, (_, index) => list().keyAt(index))

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  shown = []
  root = createRoot(document.createElement('div'))
})

afterEach(() => act(() => root.unmount()))

it('goes on with the second page that the server read, without asking for it', async () => {
  await show(Promise.resolve({ page: writePage('c2', null) }))
  expect(keys()).toEqual(['c1', 'c2'])
  expect(list().walk).toEqual({ kind: 'complete' })
})

it('shows the first page while the second is on its way', async () => {
  let answer: (page: HandedPage) => void = () => undefined
  await show(new Promise((resolve) => (answer = resolve)))
  expect([keys(), list().walk.kind]).toEqual([['c1'], 'loading'])
  await act(async () => answer({ page: writePage('c2', null) }))
  expect([keys(), list().walk.kind]).toEqual([['c1', 'c2'], 'complete'])
})

it('tells why there is none as if it had asked itself, and does not ask before the service would have it', async () => {
  const problem = { type: 'about:blank#upstream-busy', title: 'The service is busy', status: 429 }
  const failure = { status: 429, code: 'upstream-busy', problem, retryAfter: 30 }
  await show(Promise.resolve({ failure }))
  const { walk } = list()
  expect(walk).toMatchObject({ kind: 'failed', error: { status: 429, code: 'upstream-busy', retryAfter: 30 } })
  expect(walk.kind === 'failed' && (walk.retryAt ?? 0) > Date.now() + 20_000).toBe(true)
  expect(keys()).toEqual(['c1'])
})

// There is no desk in this test: to have asked it is to have failed to reach it.
it.each([
  ['the server did not read it in time', () => Promise.resolve(null)],
  ['the response was cut off', () => Promise.reject(new Error('Connection closed.'))],
])('asks for the second page itself where %s', async (_case, next) => {
  await show(next())
  expect(list().walk).toMatchObject({ kind: 'failed', error: { code: 'desk-unreachable' } })
  expect(keys()).toEqual(['c1'])
})
