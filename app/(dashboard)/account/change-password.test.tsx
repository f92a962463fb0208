import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { QueryProvider } from '@/components/layout/query-provider'
import { closePrompt, useIdentityPrompt } from '@/lib/client/identity-prompt'
import { setDeskForEach } from '@/lib/client/testing/page'
import { ChangePassword } from './change-password'

const desk = setDeskForEach()

/** Sends the form and answers the question that follows. */
async function change(isProven: boolean): Promise<void> {
  render(
    <QueryProvider>
      <ChangePassword email="ann@debitdesk.example" />
    </QueryProvider>,
  )
  const current = screen.getByLabelText('Current password')
  await vi.waitFor(() => expect(current.matches(':disabled')).toBe(false))
  fireEvent.change(current, { target: { value: 'the one so far' } })
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'moss-covered lantern' } })
  fireEvent.submit(current)
  const { result: question } = renderHook(() => useIdentityPrompt())
  await vi.waitFor(() => expect(question.current).toMatchObject({ kind: 'step-up', proof: 'factor' }))
  act(() => closePrompt(isProven))
}

const stepUp = { type: 'urn:debitdesk:step-up', title: 'x', status: 403, proof: 'factor' }

it('is sent again once the second factor has been proven', async () => {
  desk.answerWith(() => (desk.arrived.length > 1 ? { json: { ok: true } } : { status: 403, json: stepUp }))
  await change(true)
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(2))
  expect(desk.arrived[1]?.body).toEqual({ current: 'the one so far', password: 'moss-covered lantern' })
  await vi.waitFor(() => expect(screen.getByLabelText('Current password')).toHaveProperty('value', ''))
})

it('that is left unproven names no password, where something else was asked for', async () => {
  desk.answerWith(() => ({ status: 403, json: stepUp }))
  await change(false)
  const notice = await screen.findByRole('alert')
  expect(notice.textContent).toContain('Nothing was done.')
  expect(notice.textContent).not.toContain('password')
})
