import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Milestone } from '@/lib/domain/payment-story'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { MilestoneStep } from './milestone-step'

afterEach(cleanup)

const debited: Milestone = { step: 'debited', value: '2026-12-30T00:00:00Z', kind: 'day', isAhead: false }

function tell(milestone: Milestone): HTMLElement {
  return render(
    <AppConfigProvider config={facts}>
      <MilestoneStep milestone={milestone} />
    </AppConfigProvider>,
  ).container
}

it('says in words, not by a line alone, that a cancelled payment is not collected', () => {
  const step = tell({ ...debited, isAhead: true, isDropped: true })
  expect(step.textContent).toMatch(/^Payer will be debited.*30 Dec 2026.*, won’t happen$/u)
  expect([...step.querySelectorAll('s')].map(({ textContent }) => textContent)).toEqual([
    'Payer will be debited',
    expect.stringContaining('30 Dec 2026'),
  ])
  expect(tell({ ...debited, value: null, isDropped: true }).textContent).toBe(
    'Payer will be debitedno date given, won’t happen',
  )
})

it('tells what lies ahead in the future tense, and what has happened in the past', () => {
  expect(tell({ ...debited, isAhead: true }).textContent).toMatch(/^Payer will be debited.*, planned$/u)
  expect(tell(debited).textContent).toMatch(/^Payer debited.*30 Dec 2026/u)
})

it('says that the time of an end is that of the last change', () => {
  const end: Milestone = { step: 'rejected', value: '2026-11-26T10:00:00Z', kind: 'change', isAhead: false }
  expect(tell(end).textContent).toMatch(/^Rejectedlast modified 26 Nov/u)
})
