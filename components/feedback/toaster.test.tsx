// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { readPendingTitles, showErrorToast, showToast } from './toast-store'
import { Toaster } from './toaster'

afterEach(cleanup)

it('a fault is written plainly where even the toasts cannot be loaded, and shown as one once they can', async () => {
  let isOnline = false
  const Toasts = () => <p>{readPendingTitles().length} toast</p>
  const load = () => (isOnline ? Promise.resolve(Toasts) : Promise.reject(new Error('no network')))
  render(<Toaster load={load} />)
  act(() => showToast('Saved'))
  act(() => showErrorToast('It couldn’t be loaded', ''))
  expect((await screen.findByRole('alert')).textContent).toBe('It couldn’t be loaded')
  isOnline = true
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByText('1 toast')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
