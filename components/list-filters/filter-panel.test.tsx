import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { listKey } from '@/lib/client/list-queries'
import { facts } from '../data-table/testing/render-rows'
import { type AppConfig, AppConfigProvider } from '../layout/app-config'
import { FilterPanel } from './filter-panel'
import { type ChangeFilters, FilterPills } from './filter-pills'
import type { FilterValues, TableFilter } from '@/lib/domain/lists/filter-values'

const amount: TableFilter = { kind: 'amount', id: 'amount', label: () => 'Amount', field: 'amount' }
const days: TableFilter = { kind: 'days', id: 'payment', label: () => 'Collection date', field: 'paymentDate' }
const created: TableFilter = { kind: 'days', id: 'created', label: () => 'Created', field: 'createdAt' }

/** Opens the panel of a filter over a list without rows; returns what it changes the filters to. */
function open(
  filter: TableFilter,
  client = new QueryClient(),
  { values = {}, ...config }: Partial<AppConfig> & { values?: FilterValues } = {},
) {
  const change = vi.fn<ChangeFilters>()
  render(
    <QueryClientProvider client={client}>
      <AppConfigProvider config={{ ...facts, ...config }}>
        <FilterPanel
          filters={[filter]}
          current={filter}
          values={values}
          findSeen={() => []}
          anchor={{ current: null }}
          change={change}
          onClose={() => undefined}
        />
      </AppConfigProvider>
    </QueryClientProvider>,
  )
  return change
}

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const apply = () => fireEvent.click(screen.getByRole('button', { name: 'Apply' }))

/** The labels of the fields that are marked as wrong, with what is said of each. */
function findRefused(): [label: string | undefined, error: string | null | undefined][] {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[aria-invalid="true"]')]
  return fields.map((field) => [
    field.labels?.[0]?.textContent,
    document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
  ])
}

it('takes a typed currency for an amount where no row names one', () => {
  const change = open(amount)
  fill('Currency', 'xx')
  fill('Amount', '100')
  apply()
  expect(findRefused()).toEqual([['Currency', 'Enter the three letters of a currency, such as DKK.']])
  expect(change).not.toHaveBeenCalled()
  fill('Currency', 'sek')
  apply()
  expect(change).toHaveBeenCalledWith({ currency: 'SEK', amount: '100..' }, 'push')
})

it('says that an amount leaves one of several chosen currencies', () => {
  const change = open(amount, new QueryClient(), { values: { currency: 'DKK,EUR' } })
  const description = 'The list will then show this currency only.'
  expect(screen.getByRole('combobox', { name: 'Currency', description })).toBeTruthy()
  fill('Amount', '100')
  apply()
  expect(change).toHaveBeenCalledWith({ currency: 'DKK', amount: '100..' }, 'push')
})

it('offers the currencies of lists that were read before, where no row matches', () => {
  const client = new QueryClient()
  const page = { results: [{ currency: 'NOK' }, { currency: 'DKK' }, { currency: null }], unreadable: 0 }
  client.setQueryData(listKey('listPayments', {}, 'visit'), { pages: [page], pageParams: [null] })
  open(amount, client)
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['DKK', 'NOK']),
  )
})

it('offers one currency while an amount is set, so that no choice empties the list on the way', () => {
  const currency: TableFilter = {
    kind: 'choice',
    id: 'currency',
    label: () => 'Currency',
    field: 'currency',
    isOpen: true,
    isMultiple: true,
    options: ['DKK', 'EUR'].map((value) => ({ value, label: () => value })),
  }
  const change = open(currency, new QueryClient(), { values: { amount: '100..', currency: 'DKK' } })
  expect(screen.getByRole('radio', { name: 'DKK' })).toHaveProperty('checked', true)
  fireEvent.click(screen.getByRole('radio', { name: 'EUR' }))
  const [part] = change.mock.lastCall ?? []
  expect(typeof part === 'function' && part({ amount: '100..', currency: 'DKK' })).toEqual({ currency: 'EUR' })
})

it('takes no amount of a currency that cannot be compared', () => {
  const change = open(amount, new QueryClient(), { values: { currency: 'XXX' } })
  fill('Amount', '100.255')
  apply()
  const description = 'Amounts in XXX can’t be filtered: we don’t know how many decimals it has.'
  expect(screen.getByRole('combobox', { name: 'Currency', description })).toBeTruthy()
  expect(findRefused()).toEqual([['Currency', description]])
  expect(change).not.toHaveBeenCalled()
})

it.each([
  ['DKK', 'minor', 'DKK has 2 decimals.'],
  ['JPY', 'hundredths', 'JPY has no decimals.'],
  ['KWD', 'hundredths', 'Amounts can have at most 2 decimals here.'],
  ['XXX', 'hundredths', 'Amounts can have at most 2 decimals here.'],
] as const)('says how many decimals an amount may have: %s, %s', (currency, amounts, error) => {
  open(amount, new QueryClient(), { values: { currency }, amounts })
  fill('Amount', '1.2555')
  apply()
  expect(findRefused()).toEqual([['Amount', error]])
})

it.each([
  ['“Date” beside those that are set', null, { created: 'today' }],
  ['its own filter, which it then takes the place of', days, { payment: '', created: 'today' }],
])('sets a second date by the panel of %s', (_what, current, changed) => {
  const change = vi.fn<ChangeFilters>()
  render(
    <AppConfigProvider config={facts}>
      <FilterPanel
        filters={[days, created]}
        current={current}
        values={{ payment: '2026-11-25..2026-12-02' }}
        findSeen={() => []}
        anchor={{ current: null }}
        change={change}
        onClose={() => undefined}
      />
    </AppConfigProvider>,
  )
  if (current) fireEvent.change(screen.getByRole('combobox', { name: 'Date' }), { target: { value: 'created' } })
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Date' }).value).toBe('created')
  fireEvent.click(screen.getByRole('radio', { name: 'Today' }))
  apply()
  expect(change).toHaveBeenCalledWith(changed, 'push')
})

it('says at the second amount that it is less than the first', () => {
  open(amount)
  fireEvent.change(screen.getByLabelText('Condition'), { target: { value: 'between' } })
  fill('Currency', 'DKK')
  fill('From amount', '200')
  fill('To amount', '100')
  apply()
  expect(findRefused()).toEqual([['To amount', '“To amount” must not be less than “From amount”.']])
})

it('says at the second day that it is before the first', () => {
  open(days)
  fireEvent.click(screen.getByRole('radio', { name: 'Choose dates' }))
  fill('From', '2026-12-02')
  fill('To', '2026-11-25')
  apply()
  expect(findRefused()).toEqual([['To', '“To” must not be before “From”.']])
  fill('From', '')
  fill('To', '')
  apply()
  expect(findRefused()).toEqual([['From', 'Choose at least one date.']])
})

it('an amount of three decimals that is left as it stands is the same filter where a comma is the decimal mark', () => {
  const values = { currency: 'KWD', amount: '2.500..' }
  const change = open(amount, new QueryClient(), { values, locale: 'da-DK' })
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('2,500')
  apply()
  expect(change).toHaveBeenCalledWith(values, 'push')
})

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

it('several choices are one history entry, until the reader goes back from it', () => {
  const state: TableFilter = {
    kind: 'choice',
    id: 'state',
    label: () => 'State',
    field: 'status',
    isMultiple: true,
    options: ['Pending', 'Settled', 'Failed'].map((value) => ({ value, label: () => value })),
  }
  const change = open(state)
  for (const name of ['Pending', 'Settled']) fireEvent.click(screen.getByRole('checkbox', { name }))
  fireEvent(window, new PopStateEvent('popstate'))
  for (const name of ['Failed', 'Pending']) fireEvent.click(screen.getByRole('checkbox', { name }))
  expect(change.mock.calls.map(([, history]) => history)).toEqual(['push', 'replace', 'push', 'replace'])
})

const showPills = (filters: readonly TableFilter[]) =>
  render(
    <AppConfigProvider config={facts}>
      <FilterPills filters={filters} values={{}} findSeen={() => []} change={() => undefined} />
      <input aria-label="Beside" />
    </AppConfigProvider>,
  )

it.each(['first', 'last'] as const)(
  'Tab beyond the %s control of a panel closes it and leads to its button',
  async (end) => {
    showPills([created])
    const pill = screen.getByRole('button', { name: 'Created' })
    fireEvent.click(pill)
    const panel = await screen.findByRole('dialog')
    const guard = end === 'first' ? panel.previousElementSibling : panel.nextElementSibling
    within(panel).getByRole('button', { name: 'Apply' }).focus()
    act(() => (guard as HTMLElement).focus())
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(pill)
  },
)

it('a panel that closes leaves the focus where it went meanwhile', async () => {
  showPills([created])
  fireEvent.click(screen.getByRole('button', { name: 'Created' }))
  await screen.findByRole('dialog')
  const beside = screen.getByLabelText('Beside')
  act(() => beside.focus())
  fireEvent.keyDown(beside, { key: 'Escape' })
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await new Promise((done) => setTimeout(done, 20))
  expect(document.activeElement).toBe(beside)
})

it('days that an address gives and that mean nothing are not kept as dates', () => {
  const change = open(days, new QueryClient(), { values: { payment: 'someday' } })
  apply()
  expect(findRefused()).toEqual([['From', 'Choose at least one date.']])
  expect(change).not.toHaveBeenCalled()
})

/** What a browser says of a date such as 31 February, which has no value. */
function typeImpossibleDay(label: string): void {
  const field = screen.getByLabelText<HTMLInputElement>(label)
  fireEvent.change(field, { target: { value: '' } })
  Object.defineProperty(field, 'validity', { configurable: true, value: { badInput: true } })
  field.setCustomValidity('31 February')
}

it('a date that does not exist is no open end: it is refused at its field, which takes the focus', async () => {
  const change = open(days)
  fireEvent.click(screen.getByRole('radio', { name: 'Choose dates' }))
  fill('From', '2026-02-01')
  typeImpossibleDay('To')
  apply()
  expect(findRefused()).toEqual([['To', 'This date doesn’t exist or isn’t complete.']])
  expect(change).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('To')))
  const field = screen.getByLabelText<HTMLInputElement>('To')
  field.setCustomValidity('')
  Reflect.deleteProperty(field, 'validity')
  fill('To', '2026-02-28')
  expect(findRefused()).toEqual([])
  apply()
  expect(change).toHaveBeenCalledWith({ payment: '2026-02-01..2026-02-28' }, 'push')
})

it('a date that is left as it cannot be says so, and no longer once it is cleared', () => {
  open(days)
  fireEvent.click(screen.getByRole('radio', { name: 'Choose dates' }))
  typeImpossibleDay('From')
  expect(findRefused()).toEqual([])
  fireEvent.blur(screen.getByLabelText('From'))
  expect(findRefused()).toEqual([['From', 'This date doesn’t exist or isn’t complete.']])
  Reflect.deleteProperty(screen.getByLabelText('From'), 'validity')
  fireEvent.blur(screen.getByLabelText('From'))
  expect(findRefused()).toEqual([])
})

it('the years of dates have four digits', () => {
  open(days)
  fireEvent.click(screen.getByRole('radio', { name: 'Choose dates' }))
  for (const label of ['From', 'To']) expect(screen.getByLabelText<HTMLInputElement>(label).max).toBe('9999-12-31')
  const field = screen.getByLabelText('From')
  Object.defineProperty(field, 'validity', { value: { badInput: false, rangeOverflow: true } })
  fireEvent.change(field, { target: { value: '12026-01-01' } })
  fireEvent.blur(field)
  expect(findRefused()).toEqual([['From', 'This date doesn’t exist or isn’t complete.']])
})

it('what is wrong in a panel takes the focus', async () => {
  open(amount, new QueryClient(), { values: { currency: 'DKK' } })
  // The panel that opens takes the focus first.
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Condition')))
  fill('Amount', 'abc')
  apply()
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Amount')))
})

it('offers first a currency whose amounts can be compared', () => {
  const client = new QueryClient()
  const page = { results: [{ currency: '208' }, { currency: 'DKK' }], unreadable: 0 }
  client.setQueryData(listKey('listPayments', {}, 'visit'), { pages: [page], pageParams: [null] })
  open(amount, client, { amounts: 'minor' })
  expect(screen.getByLabelText<HTMLSelectElement>('Currency').value).toBe('DKK')
})
