import { dehydrate, QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listPayments } from '@/lib/api-contract/payments'
import { type InitialList, listKey } from '@/lib/client/list-queries'
import { recallPageOffset } from '@/lib/client/page-context'
import { makePayments } from '@/lib/client/testing/list-service'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { usedCapabilities } from '@/lib/domain/lists/capabilities'
import { layOut } from '../data-table/testing/lay-out'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { QueryProvider } from '../layout/query-provider'
import { PaymentsList } from './payments-list'

// Registered first, so that it comes after the page is gone.
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  sessionStorage.clear()
})
setDeskForEach()
beforeEach(() => {
  layOut()
  vi.stubGlobal('CSS', { escape: (text: string) => text })
})

const page = (first: number, hasMore: boolean) =>
  listPayments.reply.parse({ results: makePayments(first, 100), hasMore, ...(hasMore && { nextOffset: '100' }) })

/** Shows the second page's first payment beside its list, as the address asks for it. */
async function open(search: string, request: Record<string, string>) {
  history.replaceState(null, '', `/payments?${search}`)
  const client = new QueryClient()
  client.setQueryData(listKey('listPayments', request, 'first'), {
    pages: [page(0, true), page(100, false)],
    pageParams: [null, '100'],
  })
  const known = Object.fromEntries(usedCapabilities.listPayments.map((ability) => [ability, false]))
  const initialPage: InitialList = {
    loadId: 'first',
    requestKey: JSON.stringify(request),
    proofs: { ...known, 'eq:status': true, 'order:createdAt': true },
    state: dehydrate(client),
    failure: null,
  }
  render(
    <AppRouterContext value={router}>
      <PathnameContext value="/payments">
        <SearchParamsContext value={new URLSearchParams(location.search)}>
          <AppConfigProvider config={facts}>
            <QueryProvider>
              <PaymentsList initialPage={initialPage} mayCancel={false} mayBulk={false} />
            </QueryProvider>
          </AppConfigProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>,
  )
  await screen.findAllByText('PMT-100', {}, { timeout: 10_000 })
}

it.each<[string, string, Record<string, string>, string | null]>([
  ['of the plain list', 'open=p100', {}, '100'],
  ['of no filtered list', 'state=Pending&open=p100', { filter: "status eq 'Pending'" }, null],
  ['of no sorted list', 'sort=-createdAt&open=p100', { orderby: 'createdAt desc' }, null],
])('the page %s is remembered for a look-up', async (_, search, request, offset) => {
  await open(search, request)
  expect(recallPageOffset('p100')).toBe(offset)
})
