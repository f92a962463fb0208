import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { NewAgreement } from './new-agreement'

setDeskForEach()

function open(): void {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <NewAgreement />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  fireEvent.change(screen.getByRole('combobox', { name: 'Scheme' }), { target: { value: 'other' } })
}

const keyField = (index: number) => screen.getByRole('textbox', { name: `Key ${index}` })

it('a key that stands there twice is marked, described and focused, until it is another or gone', async () => {
  open()
  for (const index of [1, 2, 3]) {
    fireEvent.click(screen.getByRole('button', { name: 'Add pair' }))
    fireEvent.change(keyField(index), { target: { value: index === 1 ? 'other' : 'creditorId' } })
  }
  fireEvent.change(screen.getByRole('textbox', { name: /^Scheme/u }), { target: { value: 'sepa-core' } })
  fireEvent.click(screen.getByRole('button', { name: 'Create agreement' }))
  await vi.waitFor(() => expect(document.activeElement).toBe(keyField(3)))
  expect(keyField(3).getAttribute('aria-invalid')).toBe('true')
  const message = document.getElementById(keyField(3).getAttribute('aria-describedby') ?? '')
  expect(message?.textContent).toContain('creditorId')
  expect(keyField(1).getAttribute('aria-invalid')).toBeNull()
  fireEvent.change(keyField(3), { target: { value: 'creditorName' } })
  await vi.waitFor(() => expect(message?.isConnected).toBe(false))
  expect(document.querySelector('[aria-invalid]')).toBeNull()
  fireEvent.change(keyField(3), { target: { value: 'creditorId' } })
  await vi.waitFor(() => expect(keyField(3).getAttribute('aria-invalid')).toBe('true'))
  fireEvent.click(screen.getByRole('button', { name: 'Remove pair 2' }))
  await vi.waitFor(() => expect(document.querySelector('[aria-invalid]')).toBeNull())
})

it('the focus is at “Add” once a pair is removed, for the button is gone', () => {
  open()
  const add = screen.getByRole('button', { name: 'Add pair' })
  fireEvent.click(add)
  const remove = screen.getByRole('button', { name: 'Remove pair 2' })
  remove.focus()
  fireEvent.click(remove)
  expect(document.activeElement).toBe(add)
})
