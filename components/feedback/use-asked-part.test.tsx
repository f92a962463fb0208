import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { takePendingToasts } from './toast-store'
import { useAskedPart } from './use-asked-part'

let isOnline = false
const load = () => (isOnline ? Promise.resolve(() => <p>A dialog</p>) : Promise.reject(new Error('no network')))

function Page() {
  const [isOpen, setOpen] = useState(false)
  const { part: Dialog } = useAskedPart(isOpen, load, () => setOpen(false))
  return (
    <>
      <button aria-expanded={isOpen} onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && Dialog ? <Dialog /> : null}
    </>
  )
}

it('a part that could not be loaded says so, is no longer asked for, and is loaded when asked for again', async () => {
  render(<Page />)
  const button = screen.getByRole('button', { name: 'Open' })
  for (const _attempt of [1, 2]) {
    fireEvent.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'))
    expect(takePendingToasts()).toMatchObject([{ title: 'It couldn’t be loaded. Reload the page.', kind: 'fault' }])
  }
  isOnline = true
  fireEvent.click(button)
  expect(await screen.findByText('A dialog')).toBeTruthy()
})
