import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { setDeskForEach } from '@/lib/client/testing/page'
import type { TableView } from '../data-table/table-view'
import { planQuery } from '@/lib/domain/lists/list-plan'
import { facts } from '../data-table/testing/render-rows'
import { filterContext } from '@/lib/domain/lists/filter-values'
import { AppConfigProvider } from '../layout/app-config'
import { QueryProvider } from '../layout/query-provider'
import { ExportPanel } from './export-panel'

// jsdom has no layout to scroll.
Element.prototype.scrollIntoView = () => undefined
const desk = setDeskForEach()

const running = {
  exportId: 'e',
  list: 'listPayments',
  filters: {},
  state: 'running',
  reason: null,
  isEnding: false,
  mayResume: false,
  goesOn: false,
  rows: 0,
  leftOut: 0,
  unreadable: 0,
  sums: [],
  bytes: 0,
  sha256: null,
  createdAt: '2026-11-29T10:00:00Z',
  endedAt: null,
}
const view: TableView = { values: {}, sorting: null, columns: null, openRowId: null }
const plan = () => planQuery([], view, {}, filterContext(facts))

function renderPanel() {
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ExportPanel
            listId="listPayments"
            name="Payments"
            filters={[]}
            view={view}
            plan={plan()}
            planFor={plan}
            columnChoice={{ columns: [] }}
          />
        </QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>,
  )
}

const problem = (status: number, code: string, headers = {}) => ({
  status,
  headers,
  json: { type: `urn:debitdesk:${code}`, title: code, status },
})

it.each([
  ['once nobody is signed in', problem(401, 'signed-out')],
  ['before the time it was told to wait for', problem(429, 'too-many-attempts', { 'retry-after': '60' })],
])('a running export is not asked for again %s', async (_when, failure) => {
  desk.answerWith(({ path }) => {
    if (path.startsWith('/api/desk/exports/e')) return failure
    return { json: path === '/api/desk/exports' ? { exports: [running] } : { schedules: [] } }
  })
  renderPanel()
  await screen.findByRole('alert', {}, { timeout: 5_000 })
  const asked = () => desk.arrived.filter(({ path }) => path.startsWith('/api/desk/exports/e')).length
  const before = asked()
  // Longer than two of the intervals at which it is followed.
  await wait(1_800)
  expect(asked()).toBe(before)
})

it('a running export is asked for half as often once that has failed', async () => {
  const times: number[] = []
  desk.answerWith(({ path }) => {
    if (!path.startsWith('/api/desk/exports/e'))
      return { json: path === '/api/desk/exports' ? { exports: [running] } : { schedules: [] } }
    times.push(performance.now())
    return problem(503, 'store-unavailable')
  })
  renderPanel()
  await waitFor(() => expect(times).toHaveLength(2), { timeout: 20_000 })
  // Else it would be 700.
  expect(Number(times[1]) - Number(times[0])).toBeGreaterThan(1_390)
})

it('what was refused of a running export stays while it is followed', async () => {
  const reads = () =>
    desk.arrived.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/desk/exports/e'))
  desk.answerWith(({ method, path }) => {
    if (method === 'POST') return problem(422, 'refused')
    if (path.startsWith('/api/desk/exports/e')) return { json: running }
    return { json: path === '/api/desk/exports' ? { exports: [running] } : { schedules: [] } }
  })
  renderPanel()
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  await screen.findByRole('alert')
  const before = reads().length
  await waitFor(() => expect(reads().length).toBeGreaterThan(before + 1), { timeout: 20_000 })
  expect(screen.getByRole('alert')).toBeTruthy()
})

it('a stopped export is followed until its hash is there, or never comes', async () => {
  const stopped = { ...running, state: 'stopped', reason: 'by-person', isEnding: true }
  let reads = 0
  desk.answerWith(({ method, path }) => {
    if (method === 'POST') return { json: stopped }
    if (path.startsWith('/api/desk/exports/e'))
      return { json: reads++ === 0 ? stopped : { ...stopped, isEnding: false } }
    return { json: path === '/api/desk/exports' ? { exports: [running] } : { schedules: [] } }
  })
  renderPanel()
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(reads).toBe(2), { timeout: 20_000 })
  await wait(1_800)
  expect(reads).toBe(2)
})

it('a stopped export without a file says so, and how to get one', async () => {
  const stopped = { ...running, state: 'stopped', reason: 'interrupted', rows: 3_500, mayResume: true }
  desk.answerWith(({ path }) => ({ json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [stopped] } }))
  renderPanel()
  fireEvent.click(await screen.findByRole('button', { name: 'Show' }))
  expect(document.querySelector('[data-export] .text-caution')?.textContent).toBe(
    '3,500 rows are stored. Resume the export to get the file.',
  )
})

it('a stopped export that the desk goes on with says so, and can be stopped', async () => {
  const waiting = { ...running, state: 'stopped', reason: 'upstream-error', mayResume: true, goesOn: true }
  desk.answerWith(({ method, path }) => {
    if (method === 'POST') return { json: { ...waiting, reason: 'by-person', goesOn: false } }
    return { json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [waiting] } }
  })
  renderPanel()
  fireEvent.click(await screen.findByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/resumes the export by itself/u)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(screen.queryByText(/resumes the export by itself/u)).toBeNull())
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

it('a refusal of one schedule too many is gone once another is deleted', async () => {
  const times = { rhythm: 'daily', day: 1, hour: 9 }
  const schedule = { scheduleId: 's', list: 'listPayments', filters: {}, times, nextAt: '2026-12-01T06:00:00Z' }
  let schedules = [schedule]
  desk.answerWith(({ method, path }) => {
    if (method === 'POST') return problem(422, 'not-possible')
    if (method === 'GET') return { json: path.endsWith('/schedules') ? { schedules } : { exports: [] } }
    schedules = []
    return { json: { query: {}, moving: [], times } }
  })
  renderPanel()
  fireEvent.change(await screen.findByLabelText('Repeat'), { target: { value: 'daily' } })
  fireEvent.click(screen.getByRole('button', { name: 'Schedule export' }))
  await screen.findByRole('alert')
  fireEvent.click(screen.getByRole('button', { name: /^Delete/u }))
  await screen.findByText('Scheduled export deleted')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('a refusal is gone with the next action, be it of an export or of a schedule', async () => {
  let isRefused = true
  desk.answerWith(({ method, path }) => {
    if (method === 'GET') return { json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [] } }
    if (isRefused) return problem(422, 'refused')
    return { json: path.endsWith('/schedules') ? {} : { ...running, state: 'complete', sha256: 'a' } }
  })
  renderPanel()
  fireEvent.click(await screen.findByRole('button', { name: 'Start export' }))
  await screen.findByRole('alert')
  isRefused = false
  fireEvent.change(screen.getByLabelText('Repeat'), { target: { value: 'daily' } })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Schedule export' }).getAttribute('aria-disabled')).toBeNull(),
  )
  const schedule = screen.getByRole('button', { name: 'Schedule export' })
  fireEvent.click(schedule)
  await waitFor(() => expect(schedule.getAttribute('aria-disabled')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
  isRefused = true
  fireEvent.click(schedule)
  await screen.findByRole('alert')
  await waitFor(() => expect(schedule.getAttribute('aria-disabled')).toBeNull())
  isRefused = false
  fireEvent.change(screen.getByLabelText('Repeat'), { target: { value: '' } })
  fireEvent.click(screen.getByRole('button', { name: 'Start export' }))
  await screen.findByRole('button', { name: 'New export' })
  expect(screen.queryByRole('alert')).toBeNull()
})
