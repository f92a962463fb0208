import { afterEach, expect, it, vi } from 'vitest'
import type { BulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import { beginBulk } from './bulk-request'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a request whose reply was lost keeps its key for some minutes, not for good', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'))
    return Promise.reject(new TypeError('Failed to fetch'))
  })
  const request: BulkRequest = { kind: 'filter', filter: null, words: 'All payments' }
  const ask = () => expect(beginBulk(request)).rejects.toMatchObject({ code: 'desk-unreachable' })
  await ask()
  vi.advanceTimersByTime(4 * 60_000)
  await ask()
  vi.advanceTimersByTime(2 * 60_000)
  await ask()
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})
