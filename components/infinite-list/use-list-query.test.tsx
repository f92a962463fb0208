import { act } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { CallError } from '@/lib/client/api-client'
import { listKey } from '@/lib/client/list-queries'
import { honest, keysFrom, pass, readKeys, setListStage, waitUntil } from './testing/open-list'

const stage = setListStage()

afterEach(stage.close)

describe('reading on', () => {
  it('keeps 200 rows ready beyond what can be seen, and no more', async () => {
    await stage.open(honest(2_000), { seen: 20 })
    await waitUntil(() => stage.list.size === 300 && stage.list.pagination.kind === 'more')
    stage.show({ seen: 150 })
    await waitUntil(() => stage.list.size === 400 && stage.list.pagination.kind === 'more')
    await pass(50)
    expect(stage.service.requests).toEqual([null, '100', '200', '300'])
  })

  it('keeps no more ready in another view than can be seen there, however far the last one was read', async () => {
    await stage.open(honest(5_000), { seen: 2_000 })
    await waitUntil(() => stage.list.size === 2_200 && stage.list.pagination.kind === 'more')
    const before = stage.service.requests.length
    stage.show({ visit: 'sorted', seen: 20 })
    await waitUntil(() => stage.list.size >= 300 && stage.list.pagination.kind === 'more')
    await pass(50)
    expect(stage.service.requests.slice(before)).toEqual([null, '100', '200'])
  })

  it('reads the first page alone before there is a grid in which rows can be seen', async () => {
    await stage.open(honest(2_000), { seen: null })
    await stage.settle()
    await pass(50)
    expect(stage.service.requests).toEqual([null])
    expect(stage.list.pagination).toEqual({ kind: 'more' })
  })

  it('asks for each page once, one after the other, however often it is told what can be seen', async () => {
    await stage.open(honest(2_000), { seen: null })
    await stage.settle()
    for (let end = 100; end <= 2_000; end += 100) {
      act(() => {
        stage.list.loadUntil(end - 1)
        stage.list.loadUntil(end)
        stage.list.loadMore()
      })
      await stage.settle()
      stage.show({ seen: end })
      await waitUntil(() => stage.list.pagination.kind === 'complete' || stage.list.size >= end + 200)
      await stage.settle()
    }
    expect(stage.list.pagination).toEqual({ kind: 'complete' })
    expect(readKeys(stage.list)).toEqual(keysFrom(0, 2_000))
    expect(stage.service.requests).toEqual([
      null,
      ...Array.from({ length: 19 }, (_, index) => String((index + 1) * 100)),
    ])
  })

  it('loads the next page when a person asks for it, whatever can be seen', async () => {
    await stage.open(honest(1_000), { seen: null })
    await stage.settle()
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.size === 200 && stage.list.pagination.kind === 'more')
    expect(stage.service.requests).toEqual([null, '100'])
  })

  it('gives the list back to who returns to it, as it was left and without a request', async () => {
    await stage.open(honest(1_000), { seen: 50 })
    await waitUntil(() => stage.list.size === 300 && stage.list.pagination.kind === 'more')
    stage.leave()
    stage.show({})
    expect(readKeys(stage.list)).toEqual(keysFrom(0, 300))
    await pass(50)
    expect(stage.service.requests).toHaveLength(3)
  })

  it('reads anew for who visits the page again', async () => {
    await stage.open(honest(100), { visit: 'first' })
    await stage.settle()
    stage.show({ visit: 'second' })
    expect(stage.list.size).toBe(0)
    await stage.settle()
    expect([stage.list.size, stage.service.requests]).toEqual([100, [null, null]])
  })

  it('ends what is under way when its page is left, and goes on from there when it is come back to', async () => {
    const slow = new AbortController()
    let aborted = 0
    await stage.open(honest(1_000), { seen: null })
    await stage.settle()
    const read = stage.service.read
    stage.service.read = async (after, signal) => {
      signal.addEventListener('abort', () => (aborted += 1))
      while (!slow.signal.aborted && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5))
      return read(after, signal)
    }
    stage.show({ seen: 50 })
    await waitUntil(() => stage.list.pagination.kind === 'loading')
    stage.leave()
    expect(aborted).toBe(1)
    slow.abort()
    stage.show({})
    await waitUntil(() => stage.list.pagination.kind === 'more' && stage.list.size === 300)
    expect(readKeys(stage.list)).toEqual(keysFrom(0, 300))
    expect(stage.service.requests).toEqual([null, '100', '200'])
  })
})

describe('failures', () => {
  it('keeps the rows when a page fails, asks no more by itself, and goes on when a person says so', async () => {
    let broken = true
    await stage.open((after) => (after === '100' && broken ? { status: 500, body: null } : honest(300)(after)))
    await waitUntil(() => stage.list.pagination.kind === 'failed')
    expect(stage.list.pagination).toMatchObject({ error: { status: 500 } })
    expect(readKeys(stage.list)).toEqual(keysFrom(0, 100))
    stage.show({ seen: 99 })
    await pass(50)
    expect(stage.service.requests).toEqual([null, '100'])
    broken = false
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    expect(readKeys(stage.list)).toEqual(keysFrom(0, 300))
    expect(stage.service.requests).toEqual([null, '100', '100', '200'])
  })

  it('reads the first page again when a person says so', async () => {
    let broken = true
    await stage.open((after) => (broken ? { status: 502, body: null } : honest(50)(after)))
    await waitUntil(() => stage.list.pagination.kind === 'failed')
    // Longer than a 429 would wait.
    await pass(1_200)
    expect(stage.service.requests).toHaveLength(1)
    broken = false
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    expect(stage.list.size).toBe(50)
  })

  it('tells of a reply that it cannot read', async () => {
    await stage.open(() => ({ body: { results: 'none' } }))
    await waitUntil(() => stage.list.pagination.kind === 'failed')
    expect(stage.list.size).toBe(0)
  })

  it('repeats a 429 by itself, not before the moment that was named, whatever is pressed meanwhile', async () => {
    const at: number[] = []
    await stage.open((after) => {
      at.push(Date.now())
      return at.length === 2 ? { status: 429, headers: { 'retry-after': '1' }, body: null } : honest(150)(after)
    })
    await waitUntil(() => stage.list.pagination.kind === 'failed')
    expect(stage.list.pagination).toMatchObject({ error: { status: 429, retryAfter: 1 }, isWaiting: true })
    expect(stage.list.size).toBe(100)
    act(() => stage.list.loadMore())
    stage.show({ seen: 90 })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    expect(at).toHaveLength(3)
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(999)
  })

  it('repeats a 429 three times at most, then leaves it to a person', async () => {
    const at: number[] = []
    await stage.open(() => {
      at.push(Date.now())
      return { status: 429, headers: { 'retry-after': '1' }, body: null }
    })
    await waitUntil(() => at.length === 4)
    await pass(1_200)
    expect(stage.list.pagination).toMatchObject({ kind: 'failed', error: { status: 429 }, isWaiting: false })
    expect(at).toHaveLength(4)
    for (const [index, time] of at.slice(1).entries()) expect(time - (at[index] ?? 0)).toBeGreaterThanOrEqual(999)
    act(() => stage.list.loadMore())
    await waitUntil(() => at.length === 5)
  })
})

describe('a first page that the server could not read', () => {
  const problem = { type: 'about:blank#upstream-busy', title: 'Busy', status: 429 }
  const failure = { status: 429, code: 'upstream-busy', problem, retryAfter: 30 } as const

  it('is not asked for again until a person says so', async () => {
    await stage.open(honest(150), { failure })
    expect(stage.list.pagination).toEqual({ kind: 'failed', error: CallError.of(failure), isWaiting: false })
    stage.show({ seen: 40 })
    await pass(50)
    expect(stage.service.requests).toEqual([])
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    expect(stage.list.size).toBe(150)
  })

  it('is forgotten once the list was read, also by who comes back to it', async () => {
    await stage.open(honest(50), { failure })
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.leave()
    stage.show({})
    expect(stage.list.pagination).toEqual({ kind: 'complete' })
  })

  it('is forgotten once it was asked for again, also where the view is chosen anew', async () => {
    await stage.open(honest(50), { failure, visit: 'a' })
    act(() => stage.list.loadMore())
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.show({ failure: null, visit: 'b' })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.client.removeQueries({ queryKey: listKey('listPayments', {}, 'a') })
    stage.show({ failure, visit: 'a' })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    expect(stage.service.requests).toEqual([null, null, null])
  })

  it('says nothing of another view of the list', async () => {
    await stage.open(honest(50), { failure, visit: 'a' })
    stage.show({ failure: null, visit: 'b' })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.show({ failure, visit: 'a' })
    expect(stage.list.pagination).toEqual({ kind: 'failed', error: CallError.of(failure), isWaiting: false })
  })
})
