import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { SavedView } from '@/lib/domain/lists/list-preferences'
import type { TableView } from '../data-table/table-view'
import type { ShownView } from '../data-table/use-table-view'
import { ViewsPanel } from './views-panel'

const desk = setDeskForEach()

const plain = { values: {}, sorting: null, columns: null, openRowId: null }

// It says nothing of the entry that it makes.
vi.mock('next/link', () => ({
  default: ({ href, replace, children }: { href: string; replace: boolean; children: ReactNode }) => (
    <a href={href} data-replaces={replace}>
      {children}
    </a>
  ),
}))

/** Opens the panel beside a list that shows `view`. */
const open = (shown: ShownView, view: TableView = plain) =>
  render(
    <AppRouterContext value={router}>
      <SearchParamsContext value={new URLSearchParams()}>
        <ViewsPanel listId="listPayments" view={view} shown={shown} onClose={() => undefined} />
      </SearchParamsContext>
    </AppRouterContext>,
  )

it('a view that somebody else has deleted is deleted', async () => {
  const view: SavedView = {
    viewId: 'v1',
    name: 'Overdue',
    query: 'state=Pending',
    isShared: true,
    savedBy: 'ann@debitdesk.example',
    mayChange: true,
    isDefault: false,
  }
  let views = [view]
  desk.answerWith(({ method }) => {
    if (method === 'GET') return { json: { views, mayShare: true } }
    views = []
    return { status: 404, json: { type: 'urn:debitdesk:not-found', title: 'Not found', status: 404 } }
  })
  const shown = { query: '', isShown: () => false, setViews: () => undefined, name: undefined }
  open(shown)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Overdue' }))
  fireEvent.click(screen.getByRole('button', { name: 'Delete for everyone' }))
  await waitFor(() => expect(screen.queryByText('Overdue')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each([
  [false, ['Update Overdue to the current view', 'Yes, update']],
  [true, ['Update Overdue to the current view', 'Update for everyone']],
])('a view becomes what is shown now; which is asked first, also where it is shared: %s', async (isShared, presses) => {
  const by = { savedBy: 'ann@debitdesk.example', mayChange: true, isDefault: false }
  let view: SavedView = { viewId: 'v1', name: 'Overdue', query: 'state=Pending', isShared, ...by }
  desk.answerWith(({ method, body }) => {
    if (method === 'GET') return { json: { views: [view], mayShare: true } }
    view = { ...view, ...(body as Pick<SavedView, 'query'>) }
    return { json: view }
  })
  const query = 'state=Settled&sort=-amount'
  const shown = { query, isShown: (one: string) => one === query, setViews: () => undefined, name: undefined }
  open(shown)
  for (const name of presses) {
    expect(desk.arrived.filter(({ method }) => method === 'PUT')).toEqual([])
    fireEvent.click(await screen.findByRole('button', { name }))
  }
  await waitFor(() => expect(screen.queryByRole('button', { name: /update/iu })).toBeNull())
  expect(desk.arrived.find(({ method }) => method === 'PUT')).toMatchObject({
    path: '/api/desk/views/v1/query',
    body: { query },
  })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename Overdue' }))
})

it('a view that is saved while the panel is closed is there', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const saved: SavedView[] = []
  desk.answerWith(async ({ method, body }) => {
    if (method === 'GET') return { json: { views: saved, mayShare: true } }
    await held
    saved.push({ ...(body as SavedView), viewId: 'v1', isDefault: false, mayChange: true, savedBy: 'ann' })
    return { json: {} }
  })
  const cached: number[] = []
  const shown = {
    query: 'state=Pending',
    isShown: () => false,
    setViews: (views: readonly unknown[]) => cached.push(views.length),
    name: undefined,
  }
  const { unmount } = open(shown)
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'Overdue' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }))
  await waitFor(() => expect(desk.arrived).toHaveLength(2))
  unmount()
  release()
  await waitFor(() => expect(cached.at(-1)).toBe(1))
})

it('a view without filters opens as such, whatever the reader’s default view is', async () => {
  const view = { isShared: false, savedBy: 'ann@debitdesk.example', mayChange: true }
  const views: SavedView[] = [
    { ...view, viewId: 'v1', name: 'Overdue', query: 'state=Pending', isDefault: true },
    { ...view, viewId: 'v2', name: 'Everything', query: '', isDefault: false },
  ]
  desk.answerWith(() => ({ json: { views, mayShare: true } }))
  const shown = { query: '', isShown: () => false, setViews: () => undefined, name: undefined }
  open(shown)
  await screen.findByRole('link', { name: 'Everything' })
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/payments/closing', '/payments?state=Pending', '/payments?view=all'])
})

it.each([
  ['replaces the entry of the list', null, 'true'],
  ['adds an entry beside an open row, to which Back leads', 'p1', 'false'],
])('the view that is shown, however its address is written, %s', async (_what, openRowId, replaces) => {
  const view = { isShared: false, savedBy: 'ann@debitdesk.example', mayChange: true, isDefault: false }
  const views: SavedView[] = [
    { ...view, viewId: 'v1', name: 'Open ones', query: 'state=Pending%2CScheduled' },
    { ...view, viewId: 'v2', name: 'Everything', query: '' },
  ]
  desk.answerWith(() => ({ json: { views, mayShare: true } }))
  const isShown = (query: string) => query === 'state=Pending%2CScheduled'
  const shown = { query: '', isShown, setViews: () => undefined, name: undefined }
  open(shown, { ...plain, openRowId })
  const openOnes = await screen.findByRole('link', { name: 'Open ones' })
  expect(openOnes.dataset.replaces).toBe(replaces)
  expect(screen.getByRole('link', { name: 'Everything' }).dataset.replaces).toBe('false')
})

it('says that a view is saved', async () => {
  desk.answerWith(() => ({ json: { views: [], mayShare: false } }))
  const shown = { query: 'state=Pending', isShown: () => false, setViews: () => undefined, name: undefined }
  open(shown)
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'Overdue' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('View saved'))
})

it('what is wrong with a name is said at its field, which keeps it and the focus', async () => {
  const problems = [
    { type: 'urn:debitdesk:bad-request', status: 400, detail: 'Not valid', name: 'contains characters' },
    { type: 'urn:debitdesk:conflict', status: 409, detail: 'Another view has this name.', name: 'is already taken' },
  ]
  desk.answerWith(({ method }) => {
    if (method === 'GET') return { json: { views: [], mayShare: true } }
    const { name, ...problem } = problems.shift() ?? { name: '' }
    return { status: 400, json: { ...problem, title: 'Refused', errors: { name: [name] } } }
  })
  const shown = { query: '', isShown: () => false, setViews: () => undefined, name: undefined }
  open(shown)
  const field = await screen.findByRole<HTMLInputElement>('textbox')
  fireEvent.change(field, { target: { value: '\u200B' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }))
  await screen.findByText('Name contains characters.')
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }))
  await screen.findByText('Another view has this name.')
  expect([field.value, document.activeElement, field.getAttribute('aria-invalid')]).toEqual(['\u200B', field, 'true'])
  expect(screen.queryByRole('alert')).toBeNull()
})

it('a view whose reply was lost is in the list, which is what the reader is told to check', async () => {
  let views: SavedView[] = []
  desk.answerWith(({ method, body }) => {
    if (method === 'GET') return { json: { views, mayShare: false } }
    const { name } = body as { name: string }
    const own = { isShared: false, savedBy: 'ann@debitdesk.example', mayChange: true, isDefault: false }
    views = [{ viewId: 'v1', name, query: 'state=Pending', ...own }]
    return { hangUp: true }
  })
  const shown = { query: 'state=Pending', isShown: () => false, setViews: () => undefined, name: undefined }
  open(shown)
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'Mine' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }))
  expect(await screen.findByText(/Check the list\.$/u)).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'Mine' })).toBeTruthy()
})
