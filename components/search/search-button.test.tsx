import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SearchButton } from './search-button'

it('a slash leads to the search of the list, but not from a question that must be answered first, nor behind a modal panel', () => {
  const role = 'viewer'
  const page = (question: boolean, isHidden = false) => (
    <>
      <SearchButton role={role} />
      <div aria-hidden={isHidden}>
        <input data-list-search="" aria-label="Search" />
      </div>
      {question ? (
        <div role="alertdialog">
          <button type="button">Keep payment</button>
        </div>
      ) : null}
    </>
  )
  const { rerender } = render(page(true))
  const keep = screen.getByRole('button', { name: 'Keep payment' })
  keep.focus()
  fireEvent.keyDown(keep, { key: '/' })
  expect(document.activeElement).toBe(keep)
  rerender(page(false))
  fireEvent.keyDown(document.body, { key: '/' })
  expect(document.activeElement).toBe(screen.getByLabelText('Search'))
  screen.getByLabelText('Search').blur()
  rerender(page(false, true))
  fireEvent.keyDown(document.body, { key: '/' })
  expect(document.activeElement).toBe(document.body)
})
