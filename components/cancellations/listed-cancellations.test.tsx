import { act } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { cancellationWatch } from '@/lib/client/cancellations'
import { makePayments } from '@/lib/client/testing/list-service'
import { pass, setListStage, waitUntil } from '../infinite-list/testing/open-list'
import { useListedCancellations } from './row-cancellation'
import { makeClosedView } from './testing/cancel-fixture'

const stage = setListStage((list) => {
  useListedCancellations(list, {})
  return null
})

afterEach(stage.close)

it('reads a page once for all of its payments whose cancellations have closed, and again where that fails', async () => {
  let status = 'Pending'
  let failures = 0
  await stage.open((after) => {
    if (status === 'Cancelled' && failures === 0) {
      failures += 1
      return { status: 503, body: null }
    }
    const first = Number(after ?? 0)
    const results = makePayments(first, 100).map((row) => ({ ...row, status }))
    return { body: { results, hasMore: first === 0, nextOffset: first === 0 ? '100' : null } }
  })
  await stage.finish()
  status = 'Cancelled'
  act(() => {
    for (let at = 0; at < 20; at += 1) cancellationWatch.remember(makeClosedView(`p${at}`))
    cancellationWatch.remember(makeClosedView('p150'))
    cancellationWatch.remember(makeClosedView('of another list'))
  })
  await waitUntil(() => stage.list.get('p150')?.status === 'Cancelled')
  expect(stage.list.get('p19')?.status).toBe('Cancelled')
  await pass(1_200)
  // Both pages, and what failed first.
  expect(stage.service.requests.slice(2)).toEqual([null, null, '100'])
})

it('goes on with the other pages where the provider keeps refusing one, which is not read again', async () => {
  let isRefused = false
  await stage.open((after) => {
    const first = Number(after ?? 0)
    if (isRefused && first === 0) return { status: 422, body: null }
    const results = makePayments(first, 100).map((row) => ({ ...row, status: isRefused ? 'Cancelled' : 'Pending' }))
    return { body: { results, hasMore: first === 0, nextOffset: first === 0 ? '100' : null } }
  })
  await stage.finish()
  isRefused = true
  act(() => {
    cancellationWatch.remember(makeClosedView('p30'))
    cancellationWatch.remember(makeClosedView('p160'))
  })
  await waitUntil(() => stage.list.get('p160')?.status === 'Cancelled')
  await pass(1_200)
  expect(stage.service.requests.slice(2)).toEqual([null, '100'])
})
