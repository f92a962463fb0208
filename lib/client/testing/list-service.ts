import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listPayments, type Payment } from '@/lib/api-contract/payments'
import type { Page } from '@/lib/api-contract/pagination'
import { CallError } from '../api-client'

type Answer = { status?: number; headers?: Record<string, string>; body: unknown }

export type ListService = {
  /** The `after` of every request; null if absent. */
  requests: (string | null)[]
  /** Reads a page over HTTP with the contract's schema, like the gateway. */
  read: (after: string | undefined, signal: AbortSignal) => Promise<Page<Payment>>
  close: () => Promise<void>
}

/** A list API on loopback for tests: `answer` returns the reply for an `after`. */
export async function startListService(answer: (after: string | null, count: number) => Answer): Promise<ListService> {
  const requests: (string | null)[] = []
  const server = createServer((request, response) => {
    const after = new URL(request.url ?? '/', 'http://list').searchParams.get('after')
    requests.push(after)
    const { status = 200, headers = {}, body } = answer(after, requests.length)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    async read(after, signal) {
      const query = after === undefined ? '' : `?${new URLSearchParams({ after }).toString()}`
      const response = await fetch(`http://127.0.0.1:${port}/Payments${query}`, { signal })
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (!response.ok) {
        throw new CallError(
          response.status,
          response.status === 422 ? 'upstream-refused' : `http-${response.status}`,
          null,
          Number.isNaN(retryAfter) ? null : retryAfter,
        )
      }
      return listPayments.reply.parse(await response.json())
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `count` payments numbered from `first`. */
export function makePayments(first: number, count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${first + index}`,
    reference: `PMT-${first + index}`,
    status: 'Pending',
  }))
}
