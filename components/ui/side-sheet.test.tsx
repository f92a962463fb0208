// @vitest-environment jsdom
import { Dialog } from '@base-ui/react/dialog'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SideSheet } from './side-sheet'

const moves = { previous: vi.fn<() => void>(), next: vi.fn<() => void>() }

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  render(
    <SideSheet onClose={() => undefined} moves={moves}>
      <Dialog.Title>Payment</Dialog.Title>
      <button>Copy</button>
      <input aria-label="Note" />
      {createPortal(<button>Keep payment</button>, document.body)}
    </SideSheet>,
  )
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

it.each([
  ['a button of its own', 'Copy', [1, 1]],
  ['a field', 'Note', [0, 0]],
  ['a dialog that was opened in it', 'Keep payment', [0, 0]],
])('J and K on %s', (_where, name, moved) => {
  const target = screen.queryByRole('button', { name }) ?? screen.getByRole('textbox', { name })
  fireEvent.keyDown(target, { key: 'j' })
  fireEvent.keyDown(target, { key: 'K' })
  expect([moves.next.mock.calls.length, moves.previous.mock.calls.length]).toEqual(moved)
})
