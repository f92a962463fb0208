// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { closePrompt, onSignIn } from '@/lib/client/identity-prompt'
import { setDeskForEach } from '@/lib/client/testing/page'
import { IdentityOverlay } from './identity-overlay'

const desk = setDeskForEach()

// jsdom opens no dialogs.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true
}
HTMLDialogElement.prototype.close = function close() {
  this.open = false
}

afterEach(() => closePrompt(false))

it('nobody is signed in whose second factor could not be asked for', async () => {
  let ended = 0
  const stop = onSignIn(() => (ended += 1))
  desk.answerWith(({ path }) => {
    if (path.includes('csrf')) return { json: { csrfToken: 'token' } }
    if (path.includes('/second-factor')) return { status: 503, json: { type: 'urn:debitdesk:stopping', status: 503 } }
    return { json: { url: 'http://127.0.0.1/' } }
  })
  const question = { kind: 'signed-out', isEarly: false } as const
  render(<IdentityOverlay question={question} email="ann@debitdesk.example" isByProvider={false} />)
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long password' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findAllByText(/That isn’t working right now/u)).not.toEqual([])
  expect(desk.arrived.at(-1)?.path).toContain('/second-factor')
  expect(ended).toBe(0)
  stop()
})
