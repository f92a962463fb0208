import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it } from 'vitest'
import { customer } from '@/lib/api-contract/customers'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { EditCustomer } from './edit-customer'

const desk = setDeskForEach()
const told = { id: 'c1', name: ' Ann ', number: '7', addressLine1: 'x'.repeat(250), city: 'Ribe' }

function open(): void {
  desk.answerWith(({ method }) => ({ json: method === 'GET' ? told : { status: 200, reply: null } }))
  render(
    <AppRouterContext value={router}>
      <EditCustomer idOrHandle="c1" customer={customer.parse(told)} back="/customers/c1" />
    </AppRouterContext>,
  )
}

const edit = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: /save/iu }))
const sent = () => desk.arrived.filter(({ method }) => method === 'PUT').map(({ body }) => body)

it('sends values back as the provider holds them, though nobody may type them', async () => {
  open()
  edit('City', 'Varde')
  save()
  await waitFor(() => expect(sent()).toHaveLength(1))
  const { name, number, addressLine1 } = told
  expect(sent()).toEqual([{ name, number, addressLine1, city: 'Varde' }])
})

it('refuses what is typed past the limit, at its field', async () => {
  open()
  edit('City', 'x'.repeat(201))
  save()
  expect(await screen.findByText(/at most 200 characters/u)).toBeTruthy()
  edit('City', 'Varde')
  edit('Name', ' ')
  save()
  expect(await screen.findByText(/must not be empty/u)).toBeTruthy()
  expect(sent()).toEqual([])
})

it('where somebody else changed the same field, it says to what, and offers to begin again with that', async () => {
  open()
  edit('City', 'Varde')
  desk.answerWith(() => ({ json: { ...told, city: 'Tønder' } }))
  save()
  const notice = await screen.findByRole('alert')
  expect(notice.textContent).toContain('City is now “Tønder”.')
  expect(within(notice).getByRole('button', { name: 'Reload the page' })).toBeTruthy()
  expect(sent()).toEqual([])
})
