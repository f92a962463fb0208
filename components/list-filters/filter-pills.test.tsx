import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { type ChangeFilters, FilterPills } from './filter-pills'
import type { FilterValues, TableFilter } from '@/lib/domain/lists/filter-values'

const amount: TableFilter = { kind: 'amount', id: 'amount', label: () => 'Amount', field: 'amount' }
const days: TableFilter = { kind: 'days', id: 'payment', label: () => 'Collection date', field: 'paymentDate' }
const created: TableFilter = { kind: 'days', id: 'created', label: () => 'Created', field: 'createdAt' }

it.each([
  ['of its own stays, and has the focus', [amount], { amount: '100..', currency: 'DKK' }, 'Amount'],
  ['of one of several dates goes, and the next has the focus', [days, created], { payment: 'today' }, 'Date'],
])('once a filter is removed, a button %s', (_what, filters, values, name) => {
  const show = (given: FilterValues) => (
    <AppConfigProvider config={facts}>
      <FilterPills filters={filters} values={given} findSeen={() => []} change={() => rerender(show({}))} />
    </AppConfigProvider>
  )
  const { rerender } = render(show(values))
  const remove = screen.getByRole('button', { name: /^Remove/u })
  remove.focus()
  fireEvent.click(remove)
  expect(remove.isConnected).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('button', { name }))
})

it('a date that is seldom needed leaves the others their button', () => {
  const modified: TableFilter = { ...days, id: 'modified', label: () => 'Modified', isSeldom: true }
  const mode: TableFilter = {
    kind: 'choice',
    id: 'mode',
    label: () => 'Mode',
    field: 'test',
    isSeldom: true,
    options: [],
  }
  const show = (values: FilterValues) => (
    <AppConfigProvider config={facts}>
      <FilterPills
        filters={[days, created, modified, mode]}
        values={values}
        findSeen={() => []}
        change={() => undefined}
      />
    </AppConfigProvider>
  )
  const { rerender } = render(show({}))
  const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(names()).toEqual(['Date', 'More filters'])
  rerender(show({ modified: 'last-30-days', payment: 'today' }))
  expect(names()).toEqual(['Collection date: Today', '', 'Date', 'Modified: Last 30 days', '', 'Mode'])
})

it('a filter that is seldom needed is found under “More filters”, and stands beside the others once it is set', async () => {
  const mode: TableFilter = {
    kind: 'choice',
    id: 'mode',
    label: () => 'Mode',
    field: 'test',
    isSeldom: true,
    options: [{ value: 'test', label: () => 'Test' }],
  }
  const scheme: TableFilter = { ...mode, id: 'scheme', label: () => 'Scheme', isMultiple: true }
  const show = (given: FilterValues) => (
    <AppConfigProvider config={facts}>
      <FilterPills filters={[amount, mode, scheme]} values={given} findSeen={() => []} change={change} />
    </AppConfigProvider>
  )
  let values: FilterValues = {}
  const change: ChangeFilters = (part) => {
    values = typeof part === 'function' ? part(values) : part
    rerender(show(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))))
  }
  const { rerender } = render(show({}))
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Mode' }))
  const choice = screen.getByRole('radio', { name: 'Test' })
  expect(document.activeElement).toBe(choice)
  fireEvent.click(choice, { detail: 1 })
  await screen.findByRole('button', { name: 'Mode: Test' })
  expect(screen.queryByRole('button', { name: 'More filters' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Scheme' })).toBeTruthy()
  expect(document.activeElement?.closest('.dt-pill')).not.toBeNull()
  // A panel of several values stays open while its only one is taken back.
  change({ scheme: 'test' }, 'push')
  fireEvent.click(screen.getByRole('button', { name: 'Scheme: Test' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Test' }))
  expect(screen.getByRole('checkbox', { name: 'Test' })).toHaveProperty('checked', false)
  fireEvent.keyDown(screen.getByRole('checkbox', { name: 'Test' }), { key: 'Escape' })
  await vi.waitFor(() => expect(document.activeElement?.closest('.dt-pill')).not.toBeNull())
})
