import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { useRef } from 'react'
import { expect, it } from 'vitest'
import type { ExportScheduleView } from '@/lib/domain/lists/export-schedule'
import { setDeskForEach } from '@/lib/client/testing/page'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { takePendingToasts } from '../feedback/toast-store'
import { QueryProvider } from '../layout/query-provider'
import { ScheduledExports, useSchedules } from './scheduled-exports'

const desk = setDeskForEach()

function Scheduled() {
  const scheduled = useSchedules('listPayments')
  const panel = useRef<HTMLElement>(null)
  return (
    <section ref={panel} tabIndex={-1} aria-label="Export">
      <ScheduledExports {...scheduled} onAct={() => undefined} focusAfterLast={() => panel.current?.focus()} />
    </section>
  )
}

function renderScheduled() {
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <Scheduled />
        </QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>,
  )
}

it.each([
  ['not-possible', 'The last one couldn’t start. We’ll try again.'],
  [
    'bad-request',
    'The last one couldn’t start: this list has no such filter or columns. Delete it and schedule a new one.',
  ],
  ['upstream-timeout', 'The last one stopped: the provider didn’t answer in time. We’ll continue it.'],
  ['by-person', 'The last one is incomplete: you stopped it.'],
  ['store-unavailable', 'The last one stopped: Debitdesk’s database wasn’t available. We’ll continue it.'],
  [
    'outcome-unknown',
    'The last one stopped: Debitdesk’s database didn’t confirm that a page was saved. We’ll continue it.',
  ],
  [
    'secret-locked',
    'The last one is incomplete: a part saved earlier can’t be opened with Debitdesk’s current secret.',
  ],
  ['author-left', 'The last one is incomplete: the account that started it no longer has access.'],
])('a schedule says why its last export is not there: %s', async (problem, text) => {
  const times = { rhythm: 'daily', day: 1, hour: 7 }
  const schedule = {
    scheduleId: 's',
    list: 'listPayments',
    filters: {},
    times,
    nextAt: '2026-12-01T06:00:00Z',
    problem,
  }
  desk.answerWith(() => ({ json: { schedules: [schedule] } }))
  renderScheduled()
  expect(await screen.findByText(text)).toBeTruthy()
})

it('the next time is in the zone that it was chosen in, which is named', async () => {
  const times = { rhythm: 'daily', day: 1, hour: 1 }
  const schedule = { scheduleId: 's', list: 'listPayments', filters: {}, times, nextAt: '2026-11-30T00:00:00Z' }
  desk.answerWith(() => ({ json: { schedules: [schedule] } }))
  renderScheduled()
  await screen.findByText('Every day at 01:00')
  expect(screen.getByRole('listitem').textContent).toContain('Next 30 Nov 2026, 01:00 CET')
})

it('scheduled exports that could not be read are not shown as none', async () => {
  desk.answerWith(() => ({ status: 422, json: { type: 'urn:debitdesk:refused', title: 'Refused', status: 422 } }))
  renderScheduled()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  desk.answerWith(() => ({ json: { schedules: [] } }))
  fireEvent.click(retry)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

it('a deleted schedule can be brought back with all of its query', async () => {
  const times = { rhythm: 'daily', day: 1, hour: 7 }
  const request = {
    query: { list: 'listPayments', filters: {} },
    moving: [{ field: 'due', preset: 'last-month' }],
    times,
  }
  const schedule = { scheduleId: 's', list: 'listPayments', filters: {}, times, nextAt: '2026-12-01T06:00:00Z' }
  let schedules = [schedule]
  desk.answerWith(({ method }) => {
    if (method === 'GET') return { json: { schedules } }
    schedules = method === 'POST' ? [schedule] : []
    return { json: method === 'POST' ? schedule : request }
  })
  renderScheduled()
  fireEvent.click(await screen.findByRole('button', { name: /07:00/u }))
  await screen.findByText('Scheduled export deleted')
  await waitFor(() => expect(screen.queryByRole('button', { name: /07:00/u })).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: /07:00/u })).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Scheduled export deleted')).toBeNull())
  expect(desk.arrived.find(({ method }) => method === 'POST')?.body).toEqual(request)
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Scheduled exports' }))
})

it('a schedule that is deleted twice, or in another window, is deleted, and the focus stays beside it', async () => {
  const make = (scheduleId: string, hour: number): ExportScheduleView => ({
    scheduleId,
    list: 'listPayments',
    filters: {},
    times: { rhythm: 'daily', day: 1, hour },
    nextAt: '2026-11-20T10:00:00.000Z',
    problem: null,
  })
  let schedules = [make('s1', 7), make('s2', 9)]
  desk.answerWith(({ method }) => {
    if (method === 'GET') return { json: { schedules } }
    schedules = schedules.slice(1)
    return { status: 404, json: { type: 'urn:debitdesk:not-found', title: 'Not found', status: 404 } }
  })
  renderScheduled()
  const button = await screen.findByRole('button', { name: /07:00/u })
  const last = screen.getByRole('button', { name: /09:00/u })
  button.focus()
  fireEvent.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  expect(last.getAttribute('aria-disabled')).toBeNull()
  fireEvent.click(button)
  await waitFor(() => expect(button.isConnected).toBe(false))
  expect(desk.arrived.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(takePendingToasts().map(({ title }) => title)).toEqual(['Scheduled export deleted'])
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Scheduled exports' }))
  last.focus()
  fireEvent.click(last)
  await waitFor(() => expect(last.isConnected).toBe(false))
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Export' }))
})
