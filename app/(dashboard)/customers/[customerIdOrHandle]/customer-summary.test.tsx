import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import type { CustomerSummary, OverviewFigures } from '@/lib/domain/overview'
import { CustomerSummaryFigures } from './customer-summary'
import { router } from '@/lib/client/testing/page'

const nothing = { count: 0, sum: '0' }
const figures: OverviewFigures = {
  mode: 'live',
  currency: 'DKK',
  toCome: [],
  later: nothing,
  overdue: nothing,
  settled: [{ at: '2026-10', count: 2, sum: '100' }],
  rejected: nothing,
  chargebacks: nothing,
  lately: { rejected: nothing, chargebacks: nothing },
  closing: nothing,
  unreadAmounts: 0,
  filters: {
    states: { open: [], settled: ['Settled'], rejected: [], chargebacks: [] },
    debitedBy: null,
    settledBy: 'settled',
    failedBy: null,
    hasUndated: false,
  },
}

/** What the page shows, and what it copies. */
async function show(summary: Partial<CustomerSummary>): Promise<string[]> {
  const copied: string[] = []
  const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  const whole = { today: '2026-11-28', figures: [figures], counted: 2, isComplete: true }
  const { container } = render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <CustomerSummaryFigures summary={{ ...whole, ...summary }} customerId="c1" name="Ann" statementHref="/" />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Copy summary' }))
  await waitFor(() => expect(copied).toHaveLength(1))
  return [container.textContent ?? '', ...copied]
}

const unread = 'The amounts of 2 payments couldn’t be read.'
const notAll = 'Payments may be missing: these figures cover 2.'

it('a summary says which sums are of test payments and which of payments without a mode, also as it is copied', async () => {
  const modes = (['live', 'unsaid', 'test'] as const).map((mode) => ({ ...figures, mode }))
  const [shown, copied] = await show({ figures: modes })
  expect(shown?.match(/Mode not specified|Test/gu)).toEqual(['Mode not specified', 'Test'])
  expect(copied?.match(/(?:Mode not specified, |Test, )?DKK:/gu)).toEqual([
    'DKK:',
    'Mode not specified, DKK:',
    'Test, DKK:',
  ])
})

it.each<[string, Partial<CustomerSummary>, string[]]>([
  ['nothing', {}, []],
  ['amounts that could not be read', { figures: [{ ...figures, unreadAmounts: 2 }] }, [unread]],
  ['payments that were not counted', { isComplete: false }, [notAll]],
])('a summary says what its sums leave out, also as it is copied: %s', async (_, summary, expected) => {
  for (const text of await show(summary)) expect([unread, notAll].filter((gap) => text.includes(gap))).toEqual(expected)
})
