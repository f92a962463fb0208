import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import type { BulkState, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { BulkProgress } from './bulk-controls'

const nothing = {
  unsent: 0,
  sending: 0,
  requested: 0,
  cancelled: 0,
  'not-cancelled': 0,
  unknown: 0,
  'needs-person': 0,
  left: 0,
}

function show(state: BulkState, problem: string | null): string {
  const view: BulkView = {
    id: 'b1',
    state,
    problem,
    wait: null,
    source: { kind: 'list', name: null },
    requestedBy: 'ann@shop.example',
    createdAt: '2026-11-28T08:00:00Z',
    startedAt: '2026-11-28T08:00:00Z',
    endedAt: null,
    approval: null,
    read: 2,
    count: 2,
    sums: [],
    digest: null,
    counts: { ...nothing, unsent: 2 },
    written: 2,
    settled: 0,
  }
  const { container } = render(
    <AppConfigProvider config={facts}>
      <BulkProgress view={view} isMine />
    </AppConfigProvider>,
  )
  return container.textContent ?? ''
}

it.each([
  ['paused', 'restored', true, true],
  ['stopped', 'restored', true, false],
  ['paused', null, false, false],
  ['paused', 'refused', false, false],
] as const)(
  'a bulk that is %s (%s) says what may have been sent since a backup: %s, and that it is sent again: %s',
  (state, problem, saysSince, saysAgain) => {
    const shown = show(state, problem)
    expect(shown.includes('may have been sent since')).toBe(saysSince)
    expect(shown.includes('Resuming sends them again')).toBe(saysAgain)
  },
)
