import { cleanup, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { payment } from '@/lib/api-contract/payments'
import { router } from '@/lib/client/testing/page'
import { StatementPeriod } from './statement-period'
import { StatementView } from './statement-view'

afterEach(cleanup)

it.each([
  [[false, false], 'Live payments only.'],
  [[false, undefined], 'Test payments are left out; for 1 payment the mode isn’t specified.'],
])('a statement of payments with test %j says: %s', (modes, expected) => {
  const lines = modes.map((test, at) => ({
    day: '2026-05-01',
    settledOn: null,
    payment: payment.parse({ id: `p${at}`, amount: 100, currency: 'DKK', status: 'Settled', test }),
  }))
  const period = { from: '2026-01-01', to: '2026-12-31' }
  const statement = { period, today: '2026-11-28', lines, isComplete: true, counted: 2 }
  const { container } = render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <StatementView title="Statement" merchantName="Shop" number={null} statement={statement} />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  expect(container.textContent).toContain(expected)
})

it.each([
  [{ from: '2026-02-31', to: '2026-03-01' }, 'From', '2026-02-31 (not understood)'],
  [{ from: '2026-03-01', to: '22026-03-10' }, 'To', '22026-03-10 (not understood)'],
  [{ from: '2026-03-02', to: '2026-03-01' }, 'To', '“To” must not be before “From”.'],
])('a period that is none says what is wrong with it: %o', (period, label, error) => {
  render(
    <AppConfigProvider config={facts}>
      <StatementPeriod period={period} />
    </AppConfigProvider>,
  )
  const refused = document.querySelectorAll('[aria-invalid]')
  expect([...refused]).toEqual([screen.getByLabelText(label)])
  expect(document.getElementById(refused[0]?.getAttribute('aria-describedby') ?? '')?.textContent).toBe(error)
})
