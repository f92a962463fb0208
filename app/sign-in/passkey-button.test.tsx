import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { setDeskForEach } from '@/lib/client/testing/page'
import { PasskeyButton } from './passkey-button'

vi.mock('@/components/sign-in/prove-factor', async (load) => ({
  ...(await load<object>()),
  answerWithPasskey: async () => ({ id: 'of this device' }),
}))

const desk = setDeskForEach()

it('who is not signed in, for the browser kept no cookie, is told so', async () => {
  const url = 'https://desk.example/api/auth/signin?csrf=true'
  desk.answerWith(() => ({ json: { csrfToken: 'token', url } }))
  render(<PasskeyButton destination="/" />)
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText(/Signing in needs cookies/u)).toBeTruthy()
})
