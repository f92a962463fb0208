import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import type { Overview } from '@/lib/domain/overview'
import { CountProgress } from './figures'

afterEach(cleanup)

const walking: Overview = {
  state: 'walking',
  why: null,
  failure: null,
  counted: 300,
  resumesIn: null,
  bound: 20_000,
  asOf: '2026-11-29T12:00:00Z',
  today: '2026-11-29',
  closing: null,
  figures: [],
}

it('says while the provider asks to slow down that counting waits, and for how long', () => {
  const tell = (overview: Overview) => (
    <AppConfigProvider config={facts}>
      <CountProgress overview={overview} />
    </AppConfigProvider>
  )
  const { container, rerender } = render(tell(walking))
  expect(container.textContent).toBe('300 payments counted so far. The figures aren’t final yet.')
  rerender(tell({ ...walking, resumesIn: 7 }))
  expect(container.textContent).toContain('asking us to slow down: counting goes on in 7 s')
  rerender(tell(walking))
  expect(container.textContent).toBe('300 payments counted so far. The figures aren’t final yet.')
})
