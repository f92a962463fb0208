// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import { ExportsPage } from './exports-page'

// jsdom has no layout to scroll.
Element.prototype.scrollIntoView = () => undefined
const desk = setDeskForEach()
const none = { listPayments: {}, listCustomers: {}, listMandates: {} }

it('shows the files of the list that it begins with', async () => {
  const ready = { list: 'listCustomers', state: 'complete', filters: {}, rows: 7, leftOut: 0, unreadable: 0 }
  const exports = [{ ...ready, exportId: 'e1', createdAt: '2026-11-27T10:00:00Z' }]
  desk.answerWith(({ path }) => ({ json: path.endsWith('/schedules') ? { schedules: [] } : { exports } }))
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ExportsPage proofs={none} firstList="listCustomers" />
        </QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>,
  )
  expect(screen.getByLabelText<HTMLSelectElement>('List').value).toBe('listCustomers')
  expect(await screen.findByText(/^7 of 7/u)).toBeDefined()
})

it('a period limits an export by its list’s date, and mandates, which have none, are exported without one', async () => {
  desk.answerWith(({ method, path }) => {
    if (method === 'POST')
      return { status: 422, json: { type: 'urn:debitdesk:refused', title: 'Refused', status: 422 } }
    return { json: path.endsWith('/schedules') ? { schedules: [] } : { exports: [] } }
  })
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ExportsPage proofs={none} />
        </QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>,
  )
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
