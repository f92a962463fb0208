// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ComponentProps } from 'react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import type { ListExportView } from '@/lib/domain/lists/list-export'
import { ExportsPage } from './exports-page'

// jsdom has no layout to scroll.
Element.prototype.scrollIntoView = () => undefined
const desk = setDeskForEach()
const none = { listPayments: {}, listCustomers: {}, listMandates: {} }

function renderPage(props: Partial<ComponentProps<typeof ExportsPage>> = {}) {
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ExportsPage proofs={none} {...props} />
        </QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>,
  )
}

const ready: ListExportView = {
  exportId: 'e1',
  list: 'listCustomers',
  state: 'complete',
  reason: null,
  isEnding: false,
  mayResume: false,
  goesOn: false,
  filters: {},
  rows: 7,
  leftOut: 0,
  unreadable: 0,
  sums: [],
  bytes: 70,
  sha256: 'ab',
  createdAt: '2026-11-27T10:00:00Z',
  endedAt: '2026-11-27T10:01:00Z',
}

it('the export of its address is open with its file and the focus, above the others of its list', async () => {
  const other = { ...ready, exportId: 'e2', rows: 8 }
  const exports = [{ ...ready, exportId: 'e3', state: 'running' }, ready, other]
  desk.answerWith(({ path }) => ({ json: path.endsWith('/schedules') ? { schedules: [] } : { exports } }))
  renderPage({ opened: ready })
  expect(screen.getByLabelText<HTMLSelectElement>('List').value).toBe('listCustomers')
  const file = screen.getByRole('link', { name: 'Download CSV' })
  expect(file.getAttribute('href')).toContain('/exports/e1/file')
  expect(document.activeElement?.contains(file)).toBe(true)
  expect(await screen.findByText(/^8 of 8/u)).toBeDefined()
  expect(screen.getAllByText(/^7 of 7/u)).toHaveLength(1)
  fireEvent.change(screen.getByLabelText('List'), { target: { value: 'listPayments' } })
  fireEvent.change(screen.getByLabelText('List'), { target: { value: 'listMandates' } })
  expect(await screen.findByRole('button', { name: 'Start export' })).toBeDefined()
})

it('one that runs is listed beside the export of the address, and shown once that is left', async () => {
  const running: ListExportView = { ...ready, exportId: 'e3', state: 'running', rows: 3, sha256: null, endedAt: null }
  desk.answerWith(({ path }) => {
    if (path.endsWith('/schedules')) return { json: { schedules: [] } }
    return { json: path.endsWith('/e3') ? running : { exports: [running, ready] } }
  })
  history.replaceState(null, '', '/exports?export=e1&merchant=default')
  renderPage({ opened: ready })
  const listed = await screen.findByRole('listitem')
  expect(listed.textContent).toContain('3 so far')
  fireEvent.click(screen.getByRole('button', { name: 'New export' }))
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeDefined()
  expect(location.search).not.toContain('export=')
})

it('an export of the address that is gone is said to be', async () => {
  desk.answerWith(({ path }) => ({ json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [] } }))
  renderPage({ isGone: true })
  expect(screen.getByRole('alert').textContent).toBe('This export doesn’t exist. Exports are kept for a day.')
  expect(await screen.findByRole('button', { name: 'Start export' })).toBeDefined()
})

it('a period limits an export by its list’s date, and mandates, which have none, are exported without one', async () => {
  desk.answerWith(({ method, path }) => {
    if (method === 'POST')
      return { status: 422, json: { type: 'urn:debitdesk:refused', title: 'Refused', status: 422 } }
    return { json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [] } }
  })
  renderPage()
  const startExport = async (list: string) => {
    fireEvent.change(screen.getByLabelText('List'), { target: { value: list } })
    const before = desk.arrived.length
    fireEvent.click(await screen.findByRole('button', { name: 'Start export' }))
    const find = () => desk.arrived.slice(before).find(({ method }) => method === 'POST')?.body
    await waitFor(() => expect(find()).toBeDefined())
    return find()
  }
  fireEvent.change(screen.getByLabelText('Period'), { target: { value: 'today' } })
  const rest = { kind: 'and', filters: [{ field: 'paymentDate' }, { field: 'paymentDate' }] }
  expect(await startExport('listPayments')).toMatchObject({ list: 'listPayments', rest })
  const created = { kind: 'and', filters: [{ field: 'createdAt' }, { field: 'createdAt' }] }
  expect(await startExport('listCustomers')).toMatchObject({ list: 'listCustomers', rest: created })
  expect(await startExport('listMandates')).toMatchObject({
    list: 'listMandates',
    asked: null,
    rest: null,
    filters: {},
  })
  expect(screen.queryByLabelText('Period')).toBeNull()
})

it('a date that does not exist starts no export of everything after the other one', async () => {
  desk.answerWith(({ path }) => ({ json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [] } }))
  renderPage()
  const start = await screen.findByRole('button', { name: 'Start export' })
  fireEvent.change(screen.getByLabelText('Period'), { target: { value: 'custom' } })
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-02-01' } })
  const to = screen.getByLabelText<HTMLInputElement>('To')
  Object.defineProperty(to, 'validity', { value: { badInput: true } })
  to.setCustomValidity('31 February')
  fireEvent.click(start)
  const description = 'This date doesn’t exist or isn’t complete.'
  expect(document.getElementById(to.getAttribute('aria-describedby') ?? '')?.textContent).toBe(description)
  await waitFor(() => expect(document.activeElement).toBe(to))
  expect(desk.arrived.filter(({ method }) => method === 'POST')).toEqual([])
})
