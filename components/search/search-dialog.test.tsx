// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { SearchReply } from '@/lib/domain/search'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { SearchDialog } from './search-dialog'

const desk = setDeskForEach()
const role = 'viewer'
// jsdom has no layout to scroll.
const scrolled = vi.fn<(this: Element) => void>()
Element.prototype.scrollIntoView = scrolled

const nothing: SearchReply = { hits: [], untried: [], unsupported: [], mindsCase: false, failed: false }

/** Opens the dialog and types; returns the field and where it led. */
function find(text: string, reply: Partial<SearchReply>) {
  desk.answerWith(() => ({ json: { ...nothing, ...reply } }))
  const push = vi.fn<(href: string) => void>()
  render(
    <AppRouterContext value={{ ...router, push }}>
      <AppConfigProvider config={facts}>
        <QueryClientProvider client={new QueryClient()}>
          <SearchDialog role={role} onOpen={() => undefined} onClose={() => undefined} />
        </QueryClientProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const field = screen.getByRole('combobox')
  fireEvent.change(field, { target: { value: text } })
  return { field, push }
}

const hit = { kind: 'Customer', page: '/customers/c1', title: 'Zeppelin A/S', about: '' } as const

it('opens what was selected, also when records came before it meanwhile', async () => {
  const { field, push } = find('zepp', { hits: [hit] })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  const selected = () => screen.getByRole('option', { selected: true }).textContent
  expect(selected()).toBe('Search payments for “zepp”')
  scrolled.mockClear()
  await screen.findByRole('option', { name: /^Zeppelin/u })
  expect(selected()).toBe('Search payments for “zepp”')
  expect(scrolled.mock.contexts).toEqual([screen.getByRole('option', { selected: true })])
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(push).toHaveBeenCalledExactlyOnceWith('/payments?search=zepp')
})

it('opens the first record where nothing was selected', async () => {
  const { field, push } = find('zepp', { hits: [hit] })
  expect(screen.queryByRole('option', { selected: true })).toBeNull()
  await screen.findByRole('option', { name: /^Zeppelin/u })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(push).toHaveBeenCalledExactlyOnceWith('/customers/c1')
})

it('Enter before the records are there opens the first as it comes', async () => {
  const { field, push } = find('zepp', { hits: [hit] })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(push).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(push).toHaveBeenCalledExactlyOnceWith('/customers/c1'))
})

it('Enter before the records are there opens nothing where none is found, or the text or the choice changes', async () => {
  const { field, push } = find('zepp', {})
  fireEvent.keyDown(field, { key: 'Enter' })
  await screen.findByRole('option', { selected: true, name: /^Search customers/u })
  desk.answerWith(() => ({ json: { ...nothing, hits: [hit] } }))
  fireEvent.change(field, { target: { value: 'zeppe' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.change(field, { target: { value: 'zeppel' } })
  await screen.findByRole('option', { name: /^Zeppelin/u })
  fireEvent.change(field, { target: { value: 'zeppeli' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  await screen.findByRole('option', { name: /^Zeppelin/u })
  expect(push).not.toHaveBeenCalled()
})

it('says how much was found', async () => {
  find('zepp', { hits: [hit] })
  expect((await screen.findByText('1 found.')).tagName).toBe('OUTPUT')
})

it('says that nothing was found, beside the searches of the lists', async () => {
  find('zepp', {})
  expect(await screen.findByText('Nothing found.')).toBeDefined()
})

it('asks again while it is being found out what the provider supports', async () => {
  find('zepp', { untried: ['Customers'] })
  await screen.findByText(/^Customers: search on the page itself/u)
  desk.answerWith(() => ({ json: { ...nothing, hits: [hit] } }))
  await screen.findByRole('option', { name: /^Zeppelin/u }, { timeout: 5_000 })
  expect(screen.queryByText(/^Customers: search on the page itself/u)).toBeNull()
})

it('goes up from none to the last', () => {
  const { field } = find('zepp', {})
  fireEvent.keyDown(field, { key: 'ArrowUp' })
  expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^Search mandates/u)
})

it('reads the reply of a server that knows nothing of unsupported searches', async () => {
  find('zepp', { unsupported: undefined })
  expect(await screen.findByRole('option', { selected: true, name: /^Search customers/u })).toBeDefined()
})

it.each<[untried: SearchReply['untried'], unsupported: SearchReply['unsupported'], told: string]>([
  [['Customers'], [], 'Customers: search on the page itself. We don’t know yet which searches the provider supports.'],
  [
    [],
    ['Customers', 'Payments'],
    'Customers and Payments: search on the page itself. The provider didn’t answer searches like this as it should.',
  ],
  [
    ['Customers'],
    ['Payments'],
    'Customers: search on the page itself. We don’t know yet which searches the provider supports. Payments: search on the page itself. The provider didn’t answer searches like this as it should.',
  ],
])('says why %j and %j were not searched', async (untried, unsupported, told) => {
  find('zepp', { untried, unsupported })
  expect(await screen.findByText(told)).toBeDefined()
})
