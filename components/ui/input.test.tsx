import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TextFileInput } from './input'

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
