import { act } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { patchRows } from '@/lib/client/list-queries'
import { makePayments } from '@/lib/client/testing/list-service'
import type { Payment } from '@/lib/api-contract/payments'
import { honest, keysFrom, pass, readKeys, setListStage, waitUntil, slowly } from './testing/open-list'

const stage = setListStage()

afterEach(stage.close)

const numberOf = ({ reference }: Payment) => Number(reference?.slice(4))

/** A loaded payment with some of its fields changed. */
function change(id: string, fields: Partial<Payment>): Payment {
  const row = stage.list.get(id)
  if (!row) throw new Error(`${id} is not loaded.`)
  return { ...row, ...fields }
}

/** Replaces rows by id, like a panel that has re-read one. */
async function patch(rows: readonly Payment[]): Promise<void> {
  patchRows(stage.client, 'listPayments', rows)
  // TanStack Query notifies in a separate task.
  await pass(10)
}

describe('rules for what the service cannot do', () => {
  const sevenOnly = { name: 'seven', matches: (row: Payment) => numberOf(row) === 7 }
  const down = { name: 'down', compare: (left: Payment, right: Payment) => numberOf(right) - numberOf(left) }

  it('filter the loaded rows; ten pages at most are read unasked for a match that may never come', async () => {
    await stage.open(honest(5_000), { rules: sevenOnly, seen: 0 })
    await waitUntil(() => stage.list.pagination.kind === 'more' && stage.list.loaded >= 1_000)
    await pass(100)
    expect(readKeys(stage.list)).toEqual(['p7'])
    expect(stage.list.loaded).toBeLessThanOrEqual(1_100)
    const before = stage.list.loaded
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.pagination.kind === 'more' && stage.list.loaded > before)
  })

  it('read on for each view anew, however far the one before read in vain', async () => {
    const none = { name: 'none', matches: () => false }
    await stage.open(honest(5_000), { rules: none })
    await waitUntil(() => stage.list.pagination.kind === 'more' && stage.list.loaded >= 1_000)
    await pass(100)
    stage.show({ visit: 'another', rules: { ...none, name: 'another' } })
    await waitUntil(() => stage.list.loaded >= 1_000)
    expect(stage.list.size).toBe(0)
  })

  it('sort rows as they come in, also those far behind', async () => {
    await stage.open(honest(600), { rules: down, seen: 600 })
    await waitUntil(() => stage.list.pagination.kind === 'complete' && stage.list.size === 600)
    expect(readKeys(stage.list)).toEqual(keysFrom(0, 600).toReversed())
    expect(stage.list.indexOf('p599')).toBe(0)
  })

  it('look at many rows slice by slice, and leave them as they are when they go', async () => {
    await stage.open(honest(5_000), { seen: 5_000 })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.show({ rules: { name: 'ends', matches: slowly((row) => row.reference?.endsWith('99') ?? false) } })
    expect(stage.list.size).toBe(2)
    await waitUntil(() => stage.list.size === 50)
    expect(stage.list.keyAt(49)).toBe('p4999')
    expect(stage.list.indexOf('p4999')).toBe(49)
    stage.show({ rules: null })
    expect([stage.list.size, stage.list.indexOf('p4999')]).toEqual([5_000, 4_999])
  })

  it('say whether they have looked at all loaded rows', async () => {
    await stage.open(honest(5_000), { seen: 5_000 })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.show({ rules: { name: 'last', matches: slowly((row) => numberOf(row) === 4_999) } })
    expect([stage.list.size, stage.list.pagination.kind, stage.list.isProcessed]).toEqual([0, 'complete', false])
    await waitUntil(() => stage.list.isProcessed)
    expect(stage.list.size).toBe(1)
  })

  it('move a patched row to where its new value belongs', async () => {
    await stage.open(honest(200), { rules: down, seen: 200 })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    await patch([change('p3', { reference: 'PMT-999' })])
    expect(readKeys(stage.list)).toEqual([
      'p3',
      ...keysFrom(0, 200)
        .toReversed()
        .filter((key) => key !== 'p3'),
    ])
  })

  it('take a patched row out, or in, that matches no more, or now', async () => {
    await stage.open(honest(200), { rules: sevenOnly, seen: 200 })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    const patched = [change('p7', { reference: 'PMT-8' }), change('p150', { reference: 'PMT-7' })]
    await patch(patched)
    expect(readKeys(stage.list)).toEqual(['p150'])
    expect([stage.list.indexOf('p7'), stage.list.indexOf('p150')]).toEqual([-1, 0])
    expect(stage.list.get('p7')?.reference).toBe('PMT-8')
  })

  it('follow a row that a later page sends again with another value', async () => {
    await stage.open(
      (after) => ({
        body:
          after === null
            ? { results: makePayments(0, 100), hasMore: true, nextOffset: '100' }
            : { results: [{ id: 'p3', reference: 'PMT-999' }, ...makePayments(100, 50)], hasMore: false },
      }),
      { rules: down },
    )
    await waitUntil(() => stage.list.pagination.kind === 'incomplete')
    expect(readKeys(stage.list)).toEqual([
      'p3',
      ...keysFrom(0, 150)
        .toReversed()
        .filter((key) => key !== 'p3'),
    ])
  })
})

describe('patches', () => {
  it('put a row in the place of the one with its id, in every reading that is kept', async () => {
    await stage.open(honest(150), { visit: 'a' })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.show({ visit: 'b' })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    await patch([change('p120', { status: 'Cancelled' })])
    for (const visit of ['b', 'a']) {
      stage.show({ visit })
      expect(stage.list.rowAt(120)?.status).toBe('Cancelled')
      expect(stage.list.rowAt(119)?.status).toBe('Pending')
      expect(readKeys(stage.list)).toEqual(keysFrom(0, 150))
    }
    expect(stage.service.requests).toHaveLength(4)
  })

  it('change no other list, no row without an id, and add none', async () => {
    await stage.open(() => ({ body: { results: [{ status: 'Pending' }, { id: 'a' }], hasMore: false } }))
    await stage.settle()
    const { list } = stage
    const nameless = { ...change('a', { status: 'Cancelled' }), id: null }
    patchRows(stage.client, 'listMandates', [change('a', { status: 'Cancelled' })])
    await patch([nameless, change('a', { id: 'z' })])
    expect([0, 1].map((index) => stage.list.rowAt(index)?.status)).toEqual(['Pending', null])
    expect(stage.list.size).toBe(list.size)
  })

  it('come from the page of that row alone, where only its offset is known', async () => {
    let status = 'Pending'
    await stage.open(
      (after) => {
        const { body } = honest(300)(after)
        return { body: { ...body, results: body.results.map((row) => ({ ...row, status })) } }
      },
      { seen: 100 },
    )
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    status = 'Cancelled'
    expect([stage.list.offsetOf('p5'), stage.list.offsetOf('p150'), stage.list.offsetOf('p999')]).toEqual([
      null,
      '100',
      null,
    ])
    const page = await stage.list.fetchPage(stage.list.offsetOf('p150'), AbortSignal.timeout(10_000))
    await patch(page.results)
    expect(stage.service.requests).toEqual([null, '100', '200', '100'])
    expect(['p50', 'p150', 'p250'].map((id) => stage.list.get(id)?.status)).toEqual(['Pending', 'Cancelled', 'Pending'])
  })
})
