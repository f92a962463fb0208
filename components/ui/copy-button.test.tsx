import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { takePendingToasts } from '../feedback/toast-store'
import { CopyButton } from './copy-button'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each([
  ['copied', { writeText: async () => undefined }, 'Copied', []],
  ['refused by the browser', undefined, '', ['Not copied']],
])('a value that is %s says so', async (_what, clipboard, status, toasts) => {
  vi.stubGlobal('navigator', { clipboard })
  render(<CopyButton value="p1" name="payment id" />)
  fireEvent.click(screen.getByRole('button'))
  const told = () => [screen.getByRole('status').textContent, ...takePendingToasts().map(({ title }) => title)]
  await vi.waitFor(() => expect(told()).toEqual([status, ...toasts]))
})
