import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { FormEvent } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { Button } from './button'
import { Textarea, TextFileInput } from './input'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('a file can be chosen again under the same name: the field is empty when it is opened', () => {
  const chosen: string[] = []
  render(<TextFileInput aria-label="File" onChoose={({ name }) => chosen.push(name)} />)
  const field = screen.getByLabelText<HTMLInputElement>('File')
  const setValue = vi.spyOn(field, 'value', 'set')
  fireEvent.click(field)
  expect(setValue.mock.calls).toEqual([['']])
  fireEvent.change(field, { target: { files: [new File(['a'], 'list.csv')] } })
  expect(chosen).toEqual(['list.csv'])
})

it('Ctrl or ⌘ with Enter sends what is written: Enter alone, a held key and an input method do not', () => {
  const onSend = vi.fn<() => void>()
  render(<Textarea aria-label="Note" onSend={onSend} />)
  const field = screen.getByLabelText('Note')
  for (const other of [{}, { ctrlKey: true, repeat: true }, { ctrlKey: true, isComposing: true }, { shiftKey: true }])
    fireEvent.keyDown(field, { key: 'Enter', ...other })
  expect(onSend).not.toHaveBeenCalled()
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  fireEvent.keyDown(field, { key: 'Enter', metaKey: true })
  expect(onSend).toHaveBeenCalledTimes(2)
})

it('Ctrl with Enter presses the submit button of the form, unless that is unavailable', () => {
  const onSubmit = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault())
  const show = (reason: string | null) => (
    <form onSubmit={onSubmit}>
      <Textarea aria-label="Note" />
      <Button type="submit" reason={reason}>
        Add
      </Button>
    </form>
  )
  const { rerender } = render(show('Write something first.'))
  fireEvent.keyDown(screen.getByLabelText('Note'), { key: 'Enter', ctrlKey: true })
  expect(onSubmit).not.toHaveBeenCalled()
  rerender(show(null))
  fireEvent.keyDown(screen.getByLabelText('Note'), { key: 'Enter', ctrlKey: true })
  expect(onSubmit).toHaveBeenCalledTimes(1)
})
