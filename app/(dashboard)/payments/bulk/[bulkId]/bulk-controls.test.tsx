import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeBulkView } from '@/components/cancellations/testing/bulk-fixture'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import type { BulkState } from '@/lib/domain/cancellations/bulk-cancellation'
import { BulkProgress } from './bulk-controls'

function show(state: BulkState, problem: string | null): string {
  const view = makeBulkView({ state, problem, startedAt: '2026-11-28T08:00:00Z', count: 2, written: 2 })
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
