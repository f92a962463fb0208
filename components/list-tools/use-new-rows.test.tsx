import { act } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { useEffect } from 'react'
import { afterEach, expect, it } from 'vitest'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { makePayments } from '@/lib/client/testing/list-service'
import { router } from '@/lib/client/testing/page'
import type { Payment } from '@/lib/api-contract/payments'
import type { RowList } from '../infinite-list/use-list-query'
import { pass, setListStage, waitUntil } from '../infinite-list/testing/open-list'
import { useNewRows } from './new-rows'

let newRows: ReturnType<typeof useNewRows<Payment>>

function Looker({ list }: { list: RowList<Payment> }) {
  const latest = useNewRows(list, { kinds: ['payment'], countsLoad: false, intervalMs: 10 })
  useEffect(() => {
    newRows = latest
  })
  return null
}

const stage = setListStage((list) => (
  <AppRouterContext value={router}>
    <Looker list={list} />
  </AppRouterContext>
))

let stop: () => void = () => undefined

afterEach(async () => {
  stop()
  await stage.close()
})

it('a look that nobody asked for and that fails changes nothing, neither what is new nor what is said', async () => {
  let rows = makePayments(0, 10)
  let isBroken = false
  await stage.open(() => (isBroken ? { status: 503, body: null } : { body: { results: rows, hasMore: false } }))
  await stage.finish()
  rows = [...makePayments(9_000, 2), ...rows]
  act(() => newRows.read())
  await waitUntil(() => newRows.count === 2)
  const otherTab = followOtherTab('new rows')
  stop = otherTab.stop
  isBroken = true
  otherTab.tell({ payment: ['p1'] })
  await waitUntil(() => stage.service.requests.length > 3)
  await pass(50)
  expect([newRows.count, newRows.error]).toEqual([2, null])
  // What was asked for says that it failed, until a look succeeds.
  act(() => newRows.read())
  await waitUntil(() => newRows.error !== null)
  expect(newRows.count).toBe(2)
  isBroken = false
  await waitUntil(() => newRows.error === null)
})

it('who asked and learnt that nothing is new is told since when', async () => {
  let rows = makePayments(0, 10)
  await stage.open(() => ({ body: { results: rows, hasMore: false } }))
  await stage.finish()
  expect(newRows.noneSince).toBe(null)
  act(() => newRows.read())
  await waitUntil(() => newRows.noneSince !== null)
  rows = [...makePayments(9_000, 2), ...rows]
  act(() => newRows.read())
  await waitUntil(() => newRows.count === 2)
  expect(newRows.noneSince).toBe(null)
  act(() => void newRows.show())
  await waitUntil(() => newRows.count === 0)
  expect(newRows.noneSince).toBe(null)
})
