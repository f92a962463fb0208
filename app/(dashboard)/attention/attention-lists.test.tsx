import { render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it } from 'vitest'
import { facts, makeClosedView } from '@/components/cancellations/testing/cancel-fixture'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { Attention } from '@/lib/domain/attention'
import { AttentionLists } from './attention-lists'

const desk = setDeskForEach()

it('what was settled since the page was made is no longer listed; it is read without extending the session', async () => {
  const now: Attention = { awaiting: [], unconfirmed: [], requests: [], unknown: [] }
  const unknown = [{ ...makeClosedView('p1'), outcome: 'unknown' as const, closed: false }]
  desk.answerWith(() => ({ json: now }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <AttentionLists initial={{ ...now, unknown }}>
            <p>Tasks</p>
          </AttentionLists>
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  expect(screen.getByRole('link').textContent).toContain('p1')
  expect(await screen.findByText('We know the outcome of every cancellation.')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
  expect(desk.arrived.map(({ path, headers }) => [path, headers['x-debitdesk-quiet']])).toEqual([
    ['/api/desk/attention', '1'],
  ])
})
