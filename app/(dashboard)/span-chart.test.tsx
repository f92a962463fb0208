import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { SpanChart } from './span-chart'

it.each([
  ['DKK', '150000', 'en-GB', ['2,000', '1,000', '0']],
  ['DKK', '150000', 'da', ['2.000', '1.000', '0']],
  ['ISK', '1500', 'en-GB', ['2,000', '1,000', '0']],
  ['JPY', '1500000', 'da', ['2.000.000', '1.000.000', '0']],
  ['KWD', '1500000', 'en-GB', ['2,000', '1,000', '0']],
])('the axis of %s %s in %s', (currency, sum, locale, ends) => {
  const bars = [{ at: '2026-11-20', count: 1, sum, href: null }]
  const { container } = render(
    <AppConfigProvider config={{ ...facts, locale }}>
      <SpanChart title="Coming up" kind="day" bars={bars} current="2026-11-20" currency={currency} name="Live" />
    </AppConfigProvider>,
  )
  expect(
    [...container.querySelectorAll('[aria-hidden].tabular-nums > span')].map(({ textContent }) => textContent),
  ).toEqual(ends)
})
