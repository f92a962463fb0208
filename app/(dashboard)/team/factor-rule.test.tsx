import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import type { Role } from '@/lib/api-contract/permission'
import { FactorRule } from './factor-rule'

const desk = setDeskForEach()

const rule = (required: Role[]) => (
  <QueryProvider>
    <FactorRule required={required} />
  </QueryProvider>
)
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

it('what others change is shown until something is ticked here, and then not overwritten', async () => {
  const conflict = { type: 'urn:debitdesk:conflict', title: 'x', status: 409, detail: 'Someone else was first.' }
  desk.answerWith(() => ({ status: 409, json: conflict }))
  const { rerender } = render(rule([]))
  await vi.waitFor(() => expect(box('Viewer').matches(':disabled')).toBe(false))
  rerender(rule(['viewer']))
  expect(box('Viewer').checked).toBe(true)
  fireEvent.click(box('Auditor'))
  rerender(rule([]))
  fireEvent.submit(box('Auditor'))
  expect((await screen.findByRole('alert')).textContent).toContain('Someone else was first.')
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy()
  expect(desk.arrived.map(({ body }) => body)).toEqual([{ before: ['viewer'], roles: ['viewer', 'auditor'] }])
  expect([box('Viewer').checked, box('Auditor').checked]).toEqual([true, true])
})

it('what is ticked and unticked again is as the page shows it, also once others have changed it', async () => {
  const { rerender } = render(rule([]))
  await vi.waitFor(() => expect(box('Viewer').matches(':disabled')).toBe(false))
  fireEvent.click(box('Auditor'))
  fireEvent.click(box('Auditor'))
  rerender(rule(['viewer']))
  expect(box('Viewer').checked).toBe(true)
})
