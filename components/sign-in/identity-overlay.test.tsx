import { fireEvent, render, screen, waitFor } from '@testing-library/react'
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

it('what is wrong is said, and the focus put, at the field that it is about', async () => {
  let type = 'urn:debitdesk:step-up'
  desk.answerWith(({ method }) =>
    method === 'POST' ? { status: 403, json: { type, status: 403 } } : { json: { authenticators: [] } },
  )
  const question = { kind: 'step-up', proof: 'factor', why: null } as const
  render(<IdentityOverlay question={question} email="ann@debitdesk.example" isByProvider={false} />)
  const password = screen.getByLabelText('Password')
  const code = screen.getByRole('textbox', { name: /code/iu })
  fireEvent.change(password, { target: { value: 'not the one' } })
  fireEvent.change(code, { target: { value: '123456' } })
  const describe = (field: HTMLElement) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(describe(password)).toContain('Incorrect password.'))
  await waitFor(() => expect(document.activeElement).toBe(password))
  expect([password, code].map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', null])
  type = 'urn:debitdesk:wrong-code'
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(document.activeElement).toBe(code))
  expect([password, code].map((field) => field.getAttribute('aria-invalid'))).toEqual([null, 'true'])
})

it('a code that is refused without a password says so at the code, the only field', async () => {
  desk.answerWith(({ method }) =>
    method === 'POST'
      ? { status: 403, json: { type: 'urn:debitdesk:step-up', status: 403 } }
      : { json: { authenticators: [] } },
  )
  const question = { kind: 'step-up', proof: 'factor', why: null } as const
  render(<IdentityOverlay question={question} email="ann@debitdesk.example" isByProvider />)
  const code = screen.getByRole('textbox', { name: /code/iu })
  fireEvent.change(code, { target: { value: '123456' } })
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(code.getAttribute('aria-invalid')).toBe('true'))
  expect(document.body.textContent).not.toContain('Incorrect password.')
})
