'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CallError } from '@/lib/client/api-client'

/** Transient errors. All others, rejections above all, would be the same a second later. */
function isTransient(error: unknown): boolean {
  return error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/** Milliseconds: the reply's `Retry-After`, from 1 s to 60 s; else 1 s, 2 s, 4 s. */
function getRetryDelay(attempt: number, error: unknown): number {
  const seconds = (error instanceof CallError ? error.retryAfter : null) ?? 2 ** attempt
  return Math.min(60, Math.max(1, seconds)) * 1_000
}

/** Unused queries are dropped soon: a revisited page reads again and shows what the server read for it. */
const CACHE_TIME_MS = 5_000
/** Data rendered by the server is kept longer, for Back. */
const SERVER_DATA_CACHE_TIME_MS = 30 * 60_000

function createClient(): QueryClient {
  // The server may run on this machine: being offline is no reason not to call it.
  const networkMode = 'always'
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        gcTime: CACHE_TIME_MS,
        retry: (count, error) => count < 2 && isTransient(error),
        retryDelay: getRetryDelay,
      },
      // Writes are sent once: repeating them is up to the user.
      mutations: { networkMode, retry: false },
      hydrate: { queries: { gcTime: SERVER_DATA_CACHE_TIME_MS } },
    },
  })
}

/** Wraps all dashboard pages. Keyed by user and merchant: data loaded for one is never shown to another. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
