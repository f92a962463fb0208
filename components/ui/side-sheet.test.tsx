import { Dialog } from '@base-ui/react/dialog'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type SheetMoves, SideSheet } from './side-sheet'

const move = vi.fn<SheetMoves['move']>()

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  render(
    <SideSheet onClose={() => undefined} moves={{ isFirst: true, isLast: false, move }}>
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
  ['a button of its own', 'Copy', [1, -1]],
  ['a field', 'Note', []],
  ['a dialog that was opened in it', 'Keep payment', []],
])('J and K on %s', (_where, name, moved) => {
  const target = screen.queryByRole('button', { name }) ?? screen.getByRole('textbox', { name })
  fireEvent.keyDown(target, { key: 'j' })
  fireEvent.keyDown(target, { key: 'K' })
  expect(move.mock.calls.flat()).toEqual(moved)
})

it('beside the page Tab leads from its end to what follows in the page; where nothing does, to its beginning', () => {
  const skip = document.body.appendChild(Object.assign(document.createElement('a'), { href: '#content' }))
  const guard = screen.getByRole('dialog').nextElementSibling
  act(() => screen.getByRole('textbox', { name: 'Note' }).focus())
  act(() => (guard as HTMLElement).focus())
  const following = screen.getByRole('button', { name: 'Keep payment' })
  expect(document.activeElement).toBe(following)
  following.hidden = true
  act(() => screen.getByRole('textbox', { name: 'Note' }).focus())
  act(() => (guard as HTMLElement).focus())
  expect(document.activeElement).toBe(skip)
  skip.remove()
})
