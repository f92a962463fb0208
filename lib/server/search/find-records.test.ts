import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { usedCapabilities } from '@/lib/domain/lists/capabilities'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { writeProofRows } from '../upstream/capability-store'
import { getConnection } from '../upstream/connection'
import { findRecords } from './find-records'

const session = makeSession('viewer')
let service: FaultService
let answer: (filter: string) => object[] = () => []
let store: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service')
    if (!pathname.endsWith('/Payments')) return { status: 500, body: '{}' }
    return { body: JSON.stringify({ results: answer(searchParams.get('filter') ?? ''), hasMore: false }) }
  })
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await setMemoryStore()
})
afterAll(async () => {
  await service.close()
  await store.close()
})

it('tells a search that the provider doesn’t support from one that was not tried yet', async () => {
  const proofs = Object.fromEntries(usedCapabilities.listCustomers.map((capability) => [capability, false]))
  await writeProofRows(store.db, getConnection(session.scope.connectionId), 'listCustomers', proofs)
  expect(await findRecords(session, 'Nord kyst')).toMatchObject({ untried: ['Payments'], unsupported: ['Customers'] })
})

it('finds the references that hold a number before the payments of that amount', async () => {
  const proofs = Object.fromEntries(usedCapabilities.listPayments.map((capability) => [capability, true]))
  await writeProofRows(store.db, getConnection(session.scope.connectionId), 'listPayments', proofs)
  const make = (count: number, reference: string) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${reference}-${at}`,
      reference,
      amount: 250_000,
      currency: 'DKK',
    }))
  const find = async (text: string, words: number) => {
    answer = (filter) => (filter.includes('amount eq') ? make(5, 'of-amount') : make(words, `PMT-${text}`))
    const { hits } = await findRecords(session, text)
    return hits.filter(({ kind }) => kind === 'Payment').map(({ title }) => title)
  }
  expect(await find('2500', 5)).toEqual(Array.from({ length: 5 }, () => 'PMT-2500'))
  expect(await find('2501', 1)).toEqual(['PMT-2501', ...Array.from({ length: 5 }, () => 'of-amount')])
  expect(await find('2502 DKK', 0)).toHaveLength(5)
})
