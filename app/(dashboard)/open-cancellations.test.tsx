import { act, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts, makeClosedView } from '@/components/cancellations/testing/cancel-fixture'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { OpenCancellationsCard } from './open-cancellations'

const desk = setDeskForEach()

const listOpen = (...ids: string[]) =>
  ids.map((id) => ({ ...makeClosedView(id), outcome: 'unknown' as const, closed: false }))

it('follows what is settled and what is begun; the focus of a row that is gone is at the heading', async () => {
  let now = listOpen('p1', 'p2')
  desk.answerWith(() => ({ json: { cancellations: now } }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <OpenCancellationsCard initial={now} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
  expect(desk.arrived[0]?.headers['x-debitdesk-quiet']).toBe('1')
  screen.getAllByRole('link')[0]?.focus()
  const otherTab = followOtherTab('open-cancellations')
  now = listOpen('p2', 'p3', 'p4')
  otherTab.tell({ cancellation: ['p1', 'p3', 'p4'] })
  await vi.waitFor(() =>
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/payments/p2',
      '/payments/p3',
      '/payments/p4',
    ]),
  )
  expect(document.activeElement).toBe(screen.getByRole('heading'))
  now = []
  otherTab.tell({ cancellation: ['p2', 'p3', 'p4'] })
  expect(await screen.findByText('None. Every requested cancellation has a final outcome.')).toBeTruthy()
  act(otherTab.stop)
})
