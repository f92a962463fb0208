// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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

afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
  server?.close()
  server?.closeAllConnections()
})

let server: Server | undefined

/** A desk that answers every call with `page`; `asked` are the addresses. A browser knows by itself which desk it is at. */
async function startDesk(page: string): Promise<{ asked: string[] }> {
  const asked: string[] = []
  const made = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end(page)
  })
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  const { port } = made.address() as AddressInfo
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init))
  return { asked }
}

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

it.each([
  ['the server did not read it in time', () => Promise.resolve(null)],
  ['the response was cut off', () => Promise.reject(new Error('Connection closed.'))],
])('asks for the second page itself where %s', async (_case, next) => {
  const desk = await startDesk(writePage('c2', null))
  await show(next())
  await act(() => vi.waitFor(() => expect(list().walk.kind).not.toBe('loading')))
  expect(keys()).toEqual(['c1', 'c2'])
  expect(desk.asked).toEqual(['/api/service/Customers?after=c1&limit=100'])
})

it('asks for it itself where the response stands still', async () => {
  const desk = await startDesk(writePage('c2', null))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await show(new Promise(() => undefined))
  await act(() => vi.advanceTimersByTimeAsync(4_900))
  expect(desk.asked).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(200))
  vi.useRealTimers()
  await act(() => vi.waitFor(() => expect(keys()).toEqual(['c1', 'c2'])))
  expect(desk.asked).toHaveLength(1)
})
