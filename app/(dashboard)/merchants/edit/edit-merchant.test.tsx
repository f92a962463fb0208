import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { emptyConnection } from '@/components/merchants/typed-connection'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { EditMerchant } from './edit-merchant'

const desk = setDeskForEach()

const initial = { ...emptyConnection, name: 'One', baseUrl: 'https://service.example' }
const page = (revision: number) => (
  <AppRouterContext value={router}>
    <EditMerchant name="One" initial={initial} hasSecret revision={revision} />
  </AppRouterContext>
)

it('a change names the connection that the form was filled from, and what was typed stays where it is refused', async () => {
  const conflict = { type: 'urn:debitdesk:conflict', title: 'x', status: 409, detail: 'Someone else was first.' }
  desk.answerWith(() => ({ status: 409, json: conflict }))
  const { rerender } = render(page(3))
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: /Name/u })
  await vi.waitFor(() => expect(name.matches(':disabled')).toBe(false))
  fireEvent.change(name, { target: { value: 'Two' } })
  rerender(page(4))
  fireEvent.submit(name)
  expect(await screen.findByText('Someone else was first.')).toBeTruthy()
  expect(desk.arrived.map(({ body }) => body)).toMatchObject([{ name: 'Two', revision: 3 }])
  expect(name.value).toBe('Two')
})

it('says what it tests, the saved connection, and of each finding what was tried', async () => {
  const finding = { area: 'access', subject: 'without it', result: 'ok', detail: 'Refused with 401, as it should be.' }
  desk.answerWith(() => ({ json: { findings: [finding] } }))
  render(page(3))
  fireEvent.click(screen.getByRole('button', { name: 'Test saved connection' }))
  expect((await screen.findByRole('listitem')).textContent).toBe(
    'Access: without credentials Refused with 401, as it should be.',
  )
})
