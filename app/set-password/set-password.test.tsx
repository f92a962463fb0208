import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { beforeEach, expect, it, vi } from 'vitest'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { SetPassword } from './set-password'

const desk = setDeskForEach()
const secret = 'x'.repeat(43)
const page = (
  <AppRouterContext value={router}>
    <SearchParamsContext value={new URLSearchParams()}>
      <SetPassword />
    </SearchParamsContext>
  </AppRouterContext>
)
const info = {
  kind: 'invitation',
  email: 'ann@debitdesk.example',
  madeBy: 'bo@debitdesk.example',
  merchants: ['Nordkyst', 'Sydkyst'],
}

beforeEach(() => window.history.replaceState(null, '', '/set-password'))

it('a link that could not be looked at is looked at again, though the address no longer has it', async () => {
  const away = { type: 'urn:debitdesk:store-unavailable', title: 'x', status: 503 }
  desk.answerWith(() => (desk.arrived.length > 1 ? { json: info } : { status: 503, json: away }))
  window.history.replaceState(null, '', `/set-password#${secret}`)
  render(page)
  fireEvent.submit(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByDisplayValue('ann@debitdesk.example')).toBeTruthy()
  expect(window.location.hash).toBe('')
  expect(desk.arrived.map(({ body }) => body)).toEqual([{ secret }, { secret }])
})

it('a page without its link, as after a reload, asks for nothing and says what to do', async () => {
  render(page)
  expect((await screen.findByRole('alert')).textContent).toContain('Open the link again')
  expect(desk.arrived).toEqual([])
})

it('a link that is over is not looked at again', async () => {
  desk.answerWith(() => ({ status: 404, json: { type: 'urn:debitdesk:not-found', title: 'x', status: 404 } }))
  window.history.replaceState(null, '', `/set-password#${secret}`)
  render(page)
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('no longer valid'))
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

it('says who invites whom to what, and once the password is set, that it is', async () => {
  desk.answerWith(({ method }) => ({ json: method === 'POST' ? info : { ok: true } }))
  window.history.replaceState(null, '', `/set-password#${secret}`)
  render(page)
  await screen.findByText(/Choose a password/u)
  expect(screen.getByRole('navigation', { name: 'Language' })).toBeTruthy()
  expect(document.body.textContent).toContain('bo@debitdesk.example has invited you to work for Nordkyst and Sydkyst')
  fireEvent.submit(screen.getByRole('button', { name: 'Set password' }))
  expect(await screen.findByRole('heading', { name: 'Password set' })).toBeTruthy()
  expect(document.title).toBe('Password set · Debitdesk')
  // Loaded again, it is where one goes on.
  expect(window.location.pathname).toBe('/sign-in')
  // Another language would be that page in this one's place.
  expect(screen.queryByRole('navigation', { name: 'Language' })).toBeNull()
})
