import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import type { Overview } from '@/lib/domain/overview'
import { CountedFrom } from './summary-tiles'

afterEach(cleanup)

const failed: Overview = {
  state: 'incomplete',
  why: 'failed',
  failure: 'upstream-timeout',
  counted: 0,
  resumesIn: null,
  bound: 100_000,
  asOf: '2026-11-29T12:00:00Z',
  today: '2026-11-29',
  closing: null,
  figures: [],
}

const tell = (overview: Overview) =>
  render(
    <AppConfigProvider config={facts}>
      <CountedFrom overview={overview} />
    </AppConfigProvider>,
  ).container.textContent

it.each([
  [0, 'The payments couldn’t be loaded, 29 Nov 2026'],
  [1_200, 'Based on 1,200 payments, not all: loading them failed, 29 Nov 2026'],
])('after a failure that left %i payments it says: %s', (counted, expected) => {
  expect(tell({ ...failed, counted })).toContain(expected)
})

it('is not based on “all 0 payments” where there are none', () => {
  const whole: Overview = { ...failed, state: 'whole', why: null, failure: null }
  expect(tell(whole)).toBe('')
  expect(tell({ ...whole, counted: 3 })).toContain('Based on all 3 payments')
})
