import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { setPageUser } from '@/lib/client/page-context'
import { readPendingTitles, showErrorToast, showToast, showToastAfterLoad } from './toast-store'
import { Toaster } from './toaster'

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

it('a fault leads to where it can be mended, and closes with that', async () => {
  render(<Toaster />)
  act(() => showErrorToast('Not requested', 'The list is ready.', { link: { name: 'Open the list', href: '/there' } }))
  const link = await screen.findByRole('link', { name: 'Open the list' })
  expect(link.getAttribute('href')).toBe('/there')
  link.addEventListener('click', (event) => event.preventDefault())
  fireEvent.click(link)
  await waitFor(() => expect(link.isConnected).toBe(false))
})

it('what a page confirms as it is loaded anew is shown on the next one, once, and to nobody else', async () => {
  setPageUser('ann')
  showToastAfterLoad('Connection saved')
  setPageUser('bo')
  render(<Toaster />)
  expect(readPendingTitles()).toEqual([])
  setPageUser('ann')
  render(<Toaster />)
  expect(await screen.findByText('Connection saved')).toBeTruthy()
  expect(sessionStorage).toHaveLength(0)
})
