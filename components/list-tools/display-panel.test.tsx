import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { arrangeColumns, describeColumns } from '../data-table/column-layout'
import { relatedPaymentsTable } from '../payments/payment-columns'
import { DisplayPanel } from './display-panel'

const { columns: declared } = relatedPaymentsTable

function Panel() {
  const [layout, setLayout] = useState<string | null>('reference.amount')
  const columns = arrangeColumns(declared, layout)
  return (
    <DisplayPanel
      columns={describeColumns(declared)}
      columnChoice={{ columns, layout, isFromView: false, change: setLayout, readNewest: () => columns }}
    />
  )
}

const boxIn = (list: string, name: RegExp) =>
  within(screen.getByRole('list', { name: list })).getByRole<HTMLInputElement>('checkbox', { name })

/** Presses it by the keyboard, where the browser shows the focus, or by a pointer. */
function press(box: HTMLElement, isByKeyboard = true): void {
  vi.spyOn(box, 'matches').mockReturnValue(isByKeyboard)
  box.focus()
  fireEvent.click(box)
}

it('the focus follows a column that is hidden and shown again', () => {
  render(<Panel />)
  press(boxIn('Shown columns', /^Reference/u))
  expect(document.activeElement).toBe(boxIn('More columns', /^Reference/u))
  press(boxIn('More columns', /^Reference/u))
  expect(document.activeElement).toBe(boxIn('Shown columns', /^Reference/u))
})

it('a column that is toggled by mouse or finger does not scroll the panel after it', () => {
  render(<Panel />)
  press(boxIn('Shown columns', /^Reference/u), false)
  expect(document.activeElement).toBe(document.body)
})

it('the focus is at the heading once the usual columns are back, for the button is gone', () => {
  render(<Panel />)
  press(screen.getByRole('button', { name: 'Reset to default' }))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Columns' }))
})

it('says where a moved column stands', () => {
  render(<Panel />)
  fireEvent.click(screen.getByRole('button', { name: 'Move Reference down' }))
  expect(screen.getByRole('status').textContent).toBe('Reference, 2 of 2')
})
