import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import type { ActivityFilters } from '@/lib/domain/activity/activity'
import { ActivityToolbar } from './activity-toolbar'

it('what clears the filters disappears, and the first of them has the focus', () => {
  const show = (filters: ActivityFilters) => (
    <AppConfigProvider config={facts}>
      <ActivityToolbar filters={filters} onFilter={(next) => rerender(show(next))} seesAll />
    </AppConfigProvider>
  )
  const { rerender } = render(show({ person: 'ann' }))
  const clear = screen.getByRole('button', { name: 'Clear filters' })
  clear.focus()
  fireEvent.click(clear)
  expect(clear.isConnected).toBe(false)
  expect(document.activeElement).toBe(screen.getByLabelText('About'))
})

it('days that are reversed are said to be, at the later one', () => {
  const show = (filters: ActivityFilters) => (
    <AppConfigProvider config={facts}>
      <ActivityToolbar filters={filters} onFilter={() => undefined} seesAll />
    </AppConfigProvider>
  )
  const { rerender } = render(show({ from: '2030-01-01', to: '2020-01-01' }))
  const field = screen.getByLabelText('To')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').id).toBe(field.getAttribute('aria-describedby'))
  expect(screen.getByRole('alert').textContent).toBe('“To” must not be before “From”.')
  for (const filters of [{ from: '2020-01-01', to: '2020-01-01' }, { from: '2020-01-01' }, { to: '2020-01-01' }]) {
    rerender(show(filters))
    expect(field.getAttribute('aria-invalid')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  }
})

it('a day that is typed is taken once its year is whole, and taken back when it is cleared', () => {
  const taken: ActivityFilters[] = []
  const show = (filters: ActivityFilters) => (
    <AppConfigProvider config={facts}>
      <ActivityToolbar filters={filters} onFilter={(next) => taken.push(next)} seesAll />
    </AppConfigProvider>
  )
  const { rerender } = render(show({}))
  const field = screen.getByLabelText<HTMLInputElement>('From')
  for (const year of ['0002', '0020', '0202', '2026']) {
    fireEvent.change(field, { target: { value: `${year}-11-20` } })
    expect(field.value).toBe(`${year}-11-20`)
  }
  expect(taken).toEqual([{ from: '2026-11-20' }])
  rerender(show({ from: '2026-11-20' }))
  fireEvent.change(field, { target: { value: '' } })
  expect(taken).toEqual([{ from: '2026-11-20' }, {}])
  // Back, or another link.
  rerender(show({ from: '2026-11-01' }))
  expect(field.value).toBe('2026-11-01')
})

it('the actions are grouped by what they are about, in the order of the alphabet', () => {
  render(
    <AppConfigProvider config={facts}>
      <ActivityToolbar filters={{ action: 'gone.away' }} onFilter={() => undefined} seesAll />
    </AppConfigProvider>,
  )
  const select = screen.getByLabelText<HTMLSelectElement>('Action')
  const groups = [...select.querySelectorAll('optgroup')]
  const labels = groups.map(({ label }) => label)
  expect(labels).toContain('Saved view')
  expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other, 'en')))
  const merchant = groups.find(({ label }) => label === 'Merchant')
  const own = [...(merchant?.querySelectorAll('option') ?? [])].map(({ text }) => text)
  expect(own.length).toBeGreaterThan(3)
  expect(own).toEqual(own.toSorted((one, other) => one.localeCompare(other, 'en')))
  expect(select.value).toBe('gone.away')
})

const open = (
  filters: ActivityFilters,
  taken: ActivityFilters[],
  notUnderstood: readonly (keyof ActivityFilters)[] = [],
) => (
  <AppConfigProvider config={facts}>
    <ActivityToolbar filters={filters} notUnderstood={notUnderstood} onFilter={(next) => taken.push(next)} seesAll />
  </AppConfigProvider>
)

it('a date that does not exist leaves the filter as it is, and says so at its field once that is left', () => {
  const taken: ActivityFilters[] = []
  const { rerender } = render(open({ from: '2026-03-31' }, taken))
  const field = screen.getByLabelText<HTMLInputElement>('From')
  Object.defineProperty(field, 'validity', { configurable: true, value: { badInput: true } })
  fireEvent.change(field, { target: { value: '' } })
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(field)
  expect(screen.getByRole('alert').textContent).toBe('This date doesn’t exist or isn’t complete.')
  expect(screen.getByRole('alert').id).toBe(field.getAttribute('aria-describedby'))
  expect(taken).toEqual([])
  // Cleared: browsers tell of no change.
  Object.defineProperty(field, 'validity', { value: { badInput: false } })
  fireEvent.blur(field)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(taken).toEqual([{}])
  rerender(open({}, taken))
  fireEvent.blur(field)
  expect(taken).toEqual([{}])
})

it('what an address gives and means nothing stays and is said to, until another is chosen', () => {
  const taken: ActivityFilters[] = []
  render(open({ from: '2026-02-31', to: '2026-02-01', outcome: 'purple' }, taken, ['from', 'outcome']))
  const field = screen.getByLabelText<HTMLInputElement>('From')
  const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent)
  expect(alerts).toEqual(['2026-02-31 (not understood)', 'Result: purple (not understood)'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
  fireEvent.focus(field)
  fireEvent.blur(field)
  expect(taken).toEqual([])
  fireEvent.change(field, { target: { value: '2026-01-31' } })
  expect(taken).toEqual([{ from: '2026-01-31', to: '2026-02-01', outcome: 'purple' }])
})

it('a year of more than four digits changes nothing, and is said to be no date once it is left', () => {
  const taken: ActivityFilters[] = []
  render(open({}, taken))
  const field = screen.getByLabelText<HTMLInputElement>('From')
  Object.defineProperty(field, 'validity', { configurable: true, value: { badInput: false, rangeOverflow: true } })
  fireEvent.change(field, { target: { value: '12026-11-20' } })
  fireEvent.blur(field)
  expect(screen.getByRole('alert').textContent).toBe('This date doesn’t exist or isn’t complete.')
  expect(taken).toEqual([])
})

it('a day that means nothing is taken away alone, and its field has the focus', () => {
  const taken: ActivityFilters[] = []
  render(open({ from: '2026-02-31', to: '2026-02-01' }, taken, ['from']))
  expect(screen.queryByRole('button', { name: 'Remove filter: To' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter: From' }))
  expect(taken).toEqual([{ to: '2026-02-01' }])
  expect(document.activeElement).toBe(screen.getByLabelText('From'))
})
