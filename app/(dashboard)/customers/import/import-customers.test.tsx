import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { CustomerImportView } from '@/lib/domain/customers/customer-import'
import { EarlierImports, ImportCustomers } from './import-customers'
import { ImportProgress } from './import-progress'

const desk = setDeskForEach()

const view: CustomerImportView = {
  importId: 'i1',
  fileName: 'pasted.csv',
  startedBy: 'ann@debitdesk.example',
  createdAt: '2026-11-20T10:00:00.000Z',
  state: 'done',
  problem: null,
  waitUntil: null,
  counts: { waiting: 0, created: 1, refused: 0, leftOut: 0, unknown: 0, found: 0, held: 0 },
  troubles: [],
  customers: [],
  doubts: [],
}

function open(first: CustomerImportView): void {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ImportProgress initialView={first} onLeave={() => undefined} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
}

it('an import that was followed to its end is among the earlier ones', async () => {
  desk.answerWith(() => ({ json: view }))
  const page = (imports: readonly CustomerImportView[]) => (
    <AppRouterContext value={{ ...router, refresh: () => rerender(page([view])) }}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ImportCustomers imports={imports} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>
  )
  const { rerender } = render(page([]))
  fireEvent.change(screen.getByLabelText('Or paste the lines'), { target: { value: 'name,number\nAnn Smith,17' } })
  fireEvent.click(screen.getByRole('button', { name: 'Use these lines' }))
  const start = await screen.findByRole('button', { name: /^Create/u })
  await vi.waitFor(() => expect(start.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(start)
  fireEvent.click(await screen.findByRole('button', { name: 'Choose another file' }))
  await screen.findByRole('heading', { name: 'Previous imports' })
  expect(screen.getByText('pasted.csv')).toBeTruthy()
})

it('an import that is opened shows how it is now, not how it was when the page was made', async () => {
  desk.answerWith(() => ({ json: view }))
  open({ ...view, state: 'stopped', counts: { ...view.counts, waiting: 1, created: 0 } })
  expect(await screen.findByText(/^Done\. 1 of 1 created/u)).toBeTruthy()
})

it('the focus stays on the button that stops and continues, and goes to the status with its end', async () => {
  const counts = { ...view.counts, waiting: 1 }
  let now: CustomerImportView = { ...view, state: 'running', counts }
  desk.answerWith(({ method, body }) => {
    const { action } = (method === 'POST' ? body : {}) as { action?: 'stop' | 'go-on' }
    if (action === 'stop') now = { ...now, state: 'stopped' }
    if (action === 'go-on') now = view
    return { json: now }
  })
  open(now)
  const stop = screen.getByRole('button', { name: 'Stop' })
  stop.focus()
  fireEvent.click(stop)
  const goOn = await screen.findByRole('button', { name: 'Continue' })
  expect(document.activeElement).toBe(goOn)
  await vi.waitFor(() => expect(goOn.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(goOn)
  await screen.findByText(/^Done\./u)
  expect(document.activeElement?.textContent).toMatch(/^Done\./u)
})

it('a line is decided once: while a decision is on its way no other is made', async () => {
  const doubt = {
    line: 3,
    name: 'Ann Smith',
    number: '17',
    sentAt: '2026-11-20T10:00:00.000Z',
    failure: 'timeout' as const,
    message: null,
    heldFor: 'not-found' as const,
    candidates: [],
  }
  const held: CustomerImportView = { ...view, counts: { ...view.counts, unknown: 1, held: 1 }, doubts: [doubt] }
  const replies: ((reply: { json: unknown }) => void)[] = []
  desk.answerWith(({ method }) =>
    method === 'POST' ? new Promise((resolve) => replies.push(resolve)) : { json: held },
  )
  open(held)
  const again = screen.getByRole('button', { name: 'Send again: line 3' })
  again.focus()
  fireEvent.click(again)
  await vi.waitFor(() => expect(again.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(again)
  fireEvent.click(screen.getByRole('button', { name: 'Skip: line 3' }))
  await vi.waitFor(() => expect(replies).toHaveLength(1))
  replies[0]?.({ json: view })
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Send again: line 3' })).toBeNull())
  expect(document.activeElement?.textContent).toMatch(/^Done\./u)
  expect(replies).toHaveLength(1)
})

const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('asks before lines that were pasted and not taken yet are left, by closing the tab or for an earlier import', async () => {
  desk.answerWith(() => ({ json: view }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ImportCustomers imports={[view]} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const field = screen.getByLabelText('Or paste the lines')
  expect(asksToStay()).toBe(false)
  fireEvent.change(field, { target: { value: ' ' } })
  expect(asksToStay()).toBe(false)
  fireEvent.change(field, { target: { value: 'name,number\nAnn Smith,17' } })
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: /pasted\.csv/u }))
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(screen.getByLabelText('Or paste the lines')).toHaveProperty('value', 'name,number\nAnn Smith,17')
  fireEvent.click(screen.getByRole('button', { name: /pasted\.csv/u }))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await screen.findByRole('button', { name: 'Choose another file' })
  expect(asksToStay()).toBe(false)
})

it('links to the customers that were created, and says what became of the lines of earlier imports', () => {
  desk.answerWith(() => ({ json: shown }))
  const counts = { ...view.counts, created: 2, refused: 1 }
  const customers = [
    { line: 2, name: 'Ann Smith', customerId: 'c1' },
    { line: 3, name: '', customerId: 'c2' },
  ]
  const shown = { ...view, counts, customers }
  render(
    <AppConfigProvider config={facts}>
      <EarlierImports imports={[shown]} onOpen={() => undefined} />
    </AppConfigProvider>,
  )
  expect(screen.getByRole('listitem').textContent).toContain('pasted.csvDone. 2 of 3 created, 1 refused.')
  open(shown)
  expect(screen.getByRole('link', { name: 'Ann Smith' }).getAttribute('href')).toBe('/customers/c1')
  expect(screen.getByRole('link', { name: 'c2' }).getAttribute('href')).toBe('/customers/c2')
})
