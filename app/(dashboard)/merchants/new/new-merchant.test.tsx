import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { NewMerchant } from './new-merchant'

const desk = setDeskForEach()

it('a merchant whose reply was lost is sent again with the same key, as the page says', async () => {
  desk.answerWith(() => ({ hangUp: true }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <NewMerchant />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/u })
  await vi.waitFor(() => expect(name.matches(':disabled')).toBe(false))
  fireEvent.change(name, { target: { value: 'Nordlys' } })
  fireEvent.change(screen.getByRole('textbox', { name: /address/u }), {
    target: { value: 'https://service.example' },
  })
  fireEvent.change(screen.getByLabelText(/^Token/u), { target: { value: 'secret' } })
  const keys = () => desk.arrived.map(({ headers }) => headers['idempotency-key'])
  fireEvent.click(screen.getByRole('button', { name: 'Connect merchant' }))
  await screen.findByText(/it won’t be done twice/u)
  fireEvent.click(screen.getByRole('button', { name: 'Connect merchant' }))
  await vi.waitFor(() => expect(keys()).toHaveLength(2))
  expect(keys()[0]).toMatch(/^[\da-f-]{36}$/u)
  expect(keys()[1]).toBe(keys()[0])
})

it('all that is required is marked at once, also what the kind of credential needs', async () => {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <NewMerchant />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const button = await screen.findByRole('button', { name: 'Connect merchant' })
  await vi.waitFor(() => expect(button.matches(':disabled')).toBe(false))
  fireEvent.click(button)
  await screen.findByText('Token must not be empty.')
  expect(screen.getByText('Name must not be empty.')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Credentials'), { target: { value: 'client-credentials' } })
  fireEvent.click(button)
  await screen.findByText('Client id must not be empty.')
  expect(desk.arrived).toEqual([])
})
