import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { SecondFactors } from '@/lib/domain/second-factor'
import { setDeskForEach } from '@/lib/client/testing/page'
import { EnterFactor } from './second-step'

const desk = setDeskForEach()

const factors: SecondFactors = {
  email: 'ann@debitdesk.example',
  due: 'enter',
  authenticators: [],
  recoveryCodes: 1,
  isRequired: false,
  allowsPasskeys: false,
}

it.each([
  [401, 'signed-out', 'This sign-in has expired. Sign in again.', 'Sign in again'],
  [503, 'store-unavailable', 'Signing in isn’t working right now. Try again in a moment.', 'Sign in as somebody else'],
])('%i %s is told in words, with the way on', async (status, code, words, button) => {
  desk.answerWith(() => ({ status, json: { type: `urn:debitdesk:${code}`, title: code, status } }))
  const { container } = render(<EnterFactor factors={factors} destination="/" />)
  fireEvent.change(container.querySelector('#factor') ?? container, { target: { value: '123456' } })
  fireEvent.submit(container.querySelector('form') ?? container)
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
  expect(screen.getByRole('button', { name: button })).toBeTruthy()
})

it.each([
  ['Use a passkey', 'Sign in'],
  ['Sign in', 'Use a passkey'],
])('“%s” is shown to be running, “%s” is not', async (pressed, other) => {
  desk.answerWith(() => new Promise(() => undefined))
  const authenticators = (['totp', 'passkey'] as const).map((kind) => ({
    kind,
    authenticatorId: kind,
    name: kind,
    createdAt: '2026-11-20T10:00:00.000Z',
    lastUsedAt: null,
  }))
  const own = { ...factors, authenticators, allowsPasskeys: true }
  const { container } = render(<EnterFactor factors={own} destination="/" />)
  fireEvent.change(container.querySelector('#factor') ?? container, { target: { value: '123456' } })
  fireEvent.click(screen.getByRole('button', { name: pressed }))
  const isBusy = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-busy')
  expect([isBusy(pressed), isBusy(other)]).toEqual(['true', null])
})

it('a sign-in that could not be left for another is not passed over in silence', async () => {
  const url = 'https://desk.example/api/auth/signout?csrf=true'
  desk.answerWith(() => ({ json: { csrfToken: 'token', url } }))
  render(<EnterFactor factors={factors} destination="/" />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in as somebody else' }))
  expect(await screen.findByText('This sign-in couldn’t be ended. Try again in a moment.')).toBeTruthy()
})
