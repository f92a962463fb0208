'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CallError } from '@/lib/client/api-client'

/** Failures that pass by themselves. All else, a refusal above all, would be the same a second later. */
function mayPass(error: unknown): boolean {
  return error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/** As long as the answer asks, at most 60 s; else 1 s, then 2 s. */
function waitBefore(attempt: number, error: unknown): number {
  const asked = error instanceof CallError ? error.retryAfter : null
  return asked === null ? 1_000 * 2 ** attempt : Math.min(60, asked) * 1_000
}

/** Milliseconds: a page that is visited again reads anew, and shows what the server read for it. */
const forget = 5_000
/** Milliseconds for what the server's page brought, which is there for who comes back. */
const keep = 30 * 60_000

function makeClient(): QueryClient {
  // The desk may run on this very machine: a browser without a network is no reason not to ask it.
  const networkMode = 'always'
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        gcTime: forget,
        retry: (count, error) => count < 2 && mayPass(error),
        retryDelay: waitBefore,
      },
      // What changes something is sent once: whether it is sent again is for a person to say.
      mutations: { networkMode, retry: false },
      hydrate: { queries: { gcTime: keep } },
    },
  })
}

/** Around all pages of the desk. Its `key` is the visitor and the merchant: what was loaded for one is never shown to another. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
