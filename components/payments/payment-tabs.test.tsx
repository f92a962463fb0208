import { render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it } from 'vitest'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { QueryProvider } from '../layout/query-provider'
import { PaymentTabs } from './payment-tabs'

setDeskForEach()

it.each<[Record<string, string>, string[]]>([
  [{ state: 'Settled' }, ['All', 'Upcoming12', 'Settled3', 'Rejected0', 'Chargeback0', 'Cancelled0']],
  [{ amount: '1..' }, ['All', 'Upcoming', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']],
])('each view has its number unless another filter narrows it: %j', (values, texts) => {
  const view = { values, sorting: null, columns: null, openRowId: null }
  const counts = { pending: 7, scheduled: 5, settled: 3 }
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <PaymentTabs
            view={view}
            change={() => view}
            addressOf={({ values: { state = '' } }) => `/payments?state=${state}`}
            stateCounts={counts}
            loadId="first"
          />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const links = screen.getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(texts)
  expect(links.filter((link) => link.getAttribute('aria-current')).map((link) => link.getAttribute('href'))).toEqual([
    `/payments?state=${values.state ?? ''}`,
  ])
})
