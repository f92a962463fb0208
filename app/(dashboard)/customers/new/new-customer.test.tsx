import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { waitForRemoval } from '@/components/forms/leave-guard'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { NewCustomer } from './new-customer'

const desk = setDeskForEach()
beforeEach(() => sessionStorage.clear())
afterEach(async () => {
  cleanup()
  await waitForRemoval()
})

async function open(): Promise<HTMLInputElement> {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <NewCustomer />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/u })
  await vi.waitFor(() => expect(name.matches(':disabled')).toBe(false))
  return name
}

async function typeIn(name: HTMLInputElement, number = '77'): Promise<void> {
  fireEvent.change(name, { target: { value: 'Ann Smith' } })
  fireEvent.change(screen.getByRole('textbox', { name: 'Number' }), { target: { value: number } })
}

const sendIt = () => fireEvent.click(screen.getByRole('button', { name: 'Create customer' }))
const sentCustomers = () => desk.arrived.filter(({ path }) => path === '/api/service/Customers')
const keys = () => sentCustomers().map(({ headers }) => headers['idempotency-key'])

it('a customer that may exist is created again only when that is confirmed, after a look at the number', async () => {
  desk.answerWith(({ path }) =>
    path.endsWith('/existing') ? { json: { numbers: ['77'], compared: 1, isWhole: true } } : { hangUp: true },
  )
  await typeIn(await open())
  sendIt()
  await screen.findByText(/^We don’t know whether a request from this form/u)
  expect(screen.queryByText(/try again/u)).toBeNull()
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: /^Look for “77”/u })
  expect([link.getAttribute('href'), link.target]).toEqual(['/customers?search=77', '_blank'])
  sendIt()
  const dialog = await screen.findByRole('alertdialog', { name: 'Send it again?' })
  await vi.waitFor(() => expect(dialog.textContent).toContain('There is a customer with the number 77.'))
  fireEvent.click(screen.getByRole('button', { name: 'Go back' }))
  const button = await screen.findByRole('button', { name: 'Create customer' })
  await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  expect(keys()).toHaveLength(1)
  sendIt()
  fireEvent.click(await screen.findByRole('button', { name: 'Send again' }))
  await vi.waitFor(() => expect(keys()).toHaveLength(2))
  expect(keys()[1]).toBe(keys()[0])
})

it('what was changed after a lost reply is another request, which is said before it is sent', async () => {
  desk.answerWith(() => ({ status: 500, json: { type: 'urn:debitdesk:upstream-error', title: 'x', status: 500 } }))
  await typeIn(await open())
  sendIt()
  await screen.findByText(/^We don’t know whether a request from this form/u)
  await typeIn(screen.getByRole('textbox', { name: /^Name/u }), '78')
  sendIt()
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.textContent).toContain('is sent as a new request')
  expect(dialog.textContent).toContain('“77”')
  fireEvent.click(screen.getByRole('button', { name: 'Send this too' }))
  await vi.waitFor(() => expect(keys()).toHaveLength(2))
  expect(keys()[1]).not.toBe(keys()[0])
})

it('a lost reply is not forgotten when the page is loaded again, until there is one', async () => {
  desk.answerWith(() => ({ hangUp: true }))
  await typeIn(await open())
  sendIt()
  await screen.findByText(/^We don’t know whether a request from this form/u)
  cleanup()
  const name = await open()
  expect(screen.getByText(/^An earlier request from this form/u)).toBeTruthy()
  expect(screen.getByRole('link', { name: /^Look for “77”/u })).toBeTruthy()
  desk.answerWith(() => ({ status: 201, json: { status: 201, reply: null } }))
  await typeIn(name)
  sendIt()
  fireEvent.click(await screen.findByRole('button', { name: 'Send again' }))
  await vi.waitFor(() => expect(keys()).toHaveLength(2))
  expect(keys()[1]).toBe(keys()[0])
  await vi.waitFor(() => expect(sessionStorage).toHaveLength(0))
  cleanup()
  await open()
  expect(screen.queryByRole('alert')).toBeNull()
})
