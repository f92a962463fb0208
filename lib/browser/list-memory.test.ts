import { expect, it } from 'vitest'
import { type Payment, payment } from '@/lib/contract/payments'
import { ListMemory, ListPlace } from './list-memory'
import { RowList } from './row-list'

const blank = payment.parse({})

function makeList(count: number): RowList<Payment> {
  const results = Array.from({ length: count }, (_, index) => ({ ...blank, id: `p${index}` }))
  const read = () => Promise.reject(new Error('nothing is read here'))
  return new RowList<Payment>(
    { idOf: (row) => row.id, read },
    { page: { results, unreadable: 0, continuation: { kind: 'end' } } },
  )
}

const place = new ListPlace()

it('gives a list back as it was left', () => {
  const memory = new ListMemory<Payment>()
  const list = makeList(5)
  memory.keep('/payments?state=Pending', { ask: '{}', list, place })
  expect(memory.find('/payments?state=Pending')).toEqual({ ask: '{}', list, place })
  expect(memory.find('/payments')).toBeUndefined()
})

it('forgets what was left first when too many rows are kept, and never the list left last', () => {
  const memory = new ListMemory<Payment>()
  memory.keep('a', { ask: '', list: makeList(90_000), place })
  memory.keep('b', { ask: '', list: makeList(90_000), place })
  memory.keep('c', { ask: '', list: makeList(90_000), place })
  expect([memory.find('a'), memory.find('b'), memory.find('c')].map(Boolean)).toEqual([false, true, true])
  memory.keep('d', { ask: '', list: makeList(250_000), place })
  expect(['b', 'c', 'd'].map((address) => Boolean(memory.find(address)))).toEqual([false, false, true])
})
