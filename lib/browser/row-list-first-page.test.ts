import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Payment } from '@/lib/contract/payments'
import type { Page } from '@/lib/contract/page'
import { PageWalk } from './page-walk'
import { RowList } from './row-list'
import { type ListService, startListService, until } from './testing/list-service'
import { honest, readKeys, settle } from './testing/open-list'

const all = Array.from({ length: 300 }, (_, index) => `p${index}`)

let broken = false
let service: ListService
let first: Page<Payment>
let signals: AbortSignal[]

function read(after: string | undefined, signal: AbortSignal): Promise<Page<Payment>> {
  signals.push(signal)
  return service.read(after, signal)
}

/** A list that begins with the page that the server read. */
const begin = () => new RowList<Payment>({ idOf: (row) => row.id, read }, { page: first })

beforeEach(async () => {
  broken = false
  signals = []
  service = await startListService((after) =>
    after === '100' && broken ? { status: 500, body: null } : honest(500)(after),
  )
  first = await service.read(undefined, AbortSignal.timeout(1_000))
})

afterEach(() => service.close())

it('begins with the page that the server read, without asking for it again', async () => {
  const list = begin()
  expect(list.size).toBe(100)
  const close = list.open()
  list.demand(10)
  await settle(list)
  expect(service.requests).toEqual([null, '100', '200'])
  close()
})

it('asks for the second page before it is opened, once, and shows it to nobody before', async () => {
  const list = begin()
  list.prepare()
  list.prepare()
  await until(() => service.requests.length === 2)
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect([list.size, list.walk.kind, list.changes.getVersion()]).toEqual([100, 'more', 0])
  const close = list.open()
  list.demand(10)
  await settle(list)
  expect(readKeys(list)).toEqual(all)
  expect(service.requests).toEqual([null, '100', '200'])
  close()
})

it('tells that the page asked for before it was opened failed, and reads it again when asked to', async () => {
  broken = true
  const list = begin()
  list.prepare()
  await until(() => service.requests.length === 2)
  const close = list.open()
  await settle(list)
  expect(list.walk).toMatchObject({ kind: 'failed', error: { status: 500 } })
  expect(list.size).toBe(100)
  broken = false
  list.loadMore()
  await settle(list)
  expect(readKeys(list).slice(0, 200)).toEqual(all.slice(0, 200))
  close()
})

it('gives up what it asked for before when nobody took it up', async () => {
  const walk = new PageWalk<Payment>(
    { read, take: ({ results }) => results.length, wantsMore: () => false, changed: () => undefined },
    first,
  )
  walk.prepare()
  expect(signals).toHaveLength(1)
  walk.pause()
  expect(signals[0]?.aborted).toBe(true)
  walk.prepare()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  await until(() => service.requests.length >= 2)
})

it('gives up what it asked for before when it is put away, and asks again when it is taken up', async () => {
  const list = begin()
  list.prepare()
  list.open()()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  const close = list.open()
  await settle(list)
  expect(readKeys(list).slice(0, 200)).toEqual(all.slice(0, 200))
  close()
})
