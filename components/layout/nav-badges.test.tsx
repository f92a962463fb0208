import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ClosingCount } from '@/lib/domain/overview'
import { type AppConfig, AppConfigProvider } from './app-config'
import { ClosingBadge } from './nav-badges'
import { QueryProvider } from './query-provider'

const config: AppConfig = {
  connectionId: 'default',
  merchant: null,
  amounts: 'minor',
  schemeZone: 'Europe/Copenhagen',
  states: { cancellable: [], cancelled: [], final: [] },
  locale: 'en-GB',
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Shows the link with its badge, for what the desk answers. */
function show(closing: ClosingCount) {
  const fetched = vi.fn<(path: string) => Promise<Response>>(async () => Response.json(closing))
  vi.stubGlobal('fetch', fetched)
  render(
    <AppConfigProvider config={config}>
      <QueryProvider>
        <a href="#closing">
          Next cut-off <ClosingBadge />
        </a>
      </QueryProvider>
    </AppConfigProvider>,
  )
  return fetched
}

it.each([
  [{ count: 1, isComplete: true }, '1', '1 payment'],
  [{ count: 1_234, isComplete: true }, '1,234', '1,234 payments'],
  [{ count: 500, isComplete: false }, '500+', '500+ payments'],
])('what closes today is counted beside its link: %o', async (closing, written, about) => {
  const fetched = show(closing)
  expect(await screen.findByText(written)).toBeDefined()
  expect(screen.getByRole('link', { name: `Next cut-off , ${about}` })).toBeDefined()
  expect(fetched.mock.calls.map(([path]) => path)).toEqual([expect.stringContaining('/overview/closing')])
})

it.each([
  { count: 0, isComplete: true },
  { count: null, isComplete: false },
])('nothing is beside it for %o', async (closing) => {
  const fetched = show(closing)
  await vi.waitFor(() => expect(fetched.mock.settledResults[0]?.type).toBe('fulfilled'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByRole('link').textContent).toBe('Next cut-off ')
})
