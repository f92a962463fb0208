import { fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, it } from 'vitest'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { findReasonError, ReasonField } from './reason-field'

function Reason({ first = '', lockedReason = null }: { first?: string; lockedReason?: string | null }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState(first)
  return (
    <AppConfigProvider config={facts}>
      <ReasonField
        fieldRef={field}
        reason={reason}
        error={findReasonError(reason)}
        lockedReason={lockedReason}
        onChange={setReason}
        onSubmit={() => undefined}
      />
    </AppConfigProvider>
  )
}

const presetButtons = () =>
  screen.getAllByRole('button').filter(({ textContent }) => textContent !== 'Restore what you typed')

it('what was typed can be brought back after presets replaced it, also after a further keystroke', () => {
  render(<Reason first="Asked by phone, case 17" />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  const [one, other] = presetButtons()
  for (const preset of [one, other]) {
    fireEvent.click(preset ?? document.body)
    expect(field.value).toBe(preset?.textContent)
  }
  fireEvent.change(field, { target: { value: `${field.value}!` } })
  fireEvent.click(screen.getByRole('button', { name: 'Restore what you typed' }))
  expect(field.value).toBe('Asked by phone, case 17')
  expect(document.activeElement).toBe(field)
  expect(screen.queryByRole('button', { name: 'Restore what you typed' })).toBeNull()
})

it('nothing is offered where a preset replaced nothing that was typed', () => {
  render(<Reason />)
  for (const preset of presetButtons()) fireEvent.click(preset)
  expect(screen.queryByRole('button', { name: 'Restore what you typed' })).toBeNull()
})

it('says at the presets why the reason can’t be changed', () => {
  render(<Reason first="Asked by phone" lockedReason="The payment is cancelled." />)
  expect(presetButtons().map(({ title }) => title)).toContain('The payment is cancelled.')
  fireEvent.click(presetButtons()[0] ?? document.body)
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Asked by phone')
})

it('writes the lengths of a very long reason like other numbers', () => {
  const { container } = render(<Reason first={'x'.repeat(3_000)} />)
  expect(container.textContent).toContain('3,000 of 500')
  expect(container.textContent).toContain('At most 500 characters: 2,500 too many.')
})
