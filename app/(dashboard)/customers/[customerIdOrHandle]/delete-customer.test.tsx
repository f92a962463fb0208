import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import { countOpenPayments } from './delete-customer'

let desk: DeskServer

beforeAll(async () => {
  desk = await startDeskServer()
})
afterAll(() => desk.close())

const row = (id: string | null) => ({ id, status: 'Pending', test: false, customer: { id: 'c1' } })
const customer = { kind: 'compare', field: 'customer/id', comparison: 'eq', value: 'c1' } as const
const end = { kind: 'end' }

it.each([
  ['all', { results: [row('2')], unreadable: 0 }, { live: 2, isWhole: true }],
  ['not all where an entry cannot be read', { results: [], unreadable: 1 }, { live: 1, isWhole: false }],
  [
    'each once where the list moves, and then not all',
    { results: [row('1')], unreadable: 0 },
    { live: 1, isWhole: false },
  ],
  ['all where one comes twice on a page', { results: [row('2'), row('2')], unreadable: 0 }, { live: 2, isWhole: true }],
  [
    'those without a mode by themselves',
    { results: [{ ...row('2'), test: null }], unreadable: 0 },
    { live: 1, unsaid: 1, isWhole: true },
  ],
])('counts the payments to be collected: %s', async (_, last, count) => {
  desk.answerWith(({ path }) => ({
    json: path.includes('after=')
      ? { ...last, continuation: end }
      : { results: [row('1')], unreadable: 0, continuation: { kind: 'more', after: 'two' } },
  }))
  const options = { proofs: {}, ended: ['settled'], signal: AbortSignal.timeout(10_000) }
  expect(await countOpenPayments(customer, options)).toMatchObject(count)
})
