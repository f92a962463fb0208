import { act, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SearchField } from './search-field'

const read = () => new URLSearchParams(location.search).get('search') ?? ''

/** A page whose address has the search. */
function Page() {
  const [value, setValue] = useState(read)
  useEffect(() => {
    const follow = () => setValue(read())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return (
    <SearchField
      id="search"
      label="Search"
      addsEntryAtOnce
      value={value}
      placeholder=""
      onSearch={(text, kind) => {
        const address = text.trim() === '' ? '/list' : `/list?search=${text.trim()}`
        history[kind === 'push' ? 'pushState' : 'replaceState'](null, '', address)
        setValue(read())
      }}
    />
  )
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox')
const type = async (text: string) => {
  fireEvent.change(field(), { target: { value: text } })
  await act(() => new Promise((resolve) => setTimeout(resolve, 320)))
}

let entries = 0
beforeEach(() => {
  history.pushState(null, '', '/overview')
  history.pushState(null, '', '/list')
  entries = history.length
})
afterEach(() => vi.restoreAllMocks())

it('a search that is erased again leaves no entry that Back would stop at', async () => {
  render(<Page />)
  field().focus()
  await type('han')
  await type('hansen')
  expect([location.search, history.length]).toEqual(['?search=hansen', entries + 1])
  await type('')
  expect([location.pathname + location.search, field().value]).toEqual(['/list', ''])
  // What is typed next is a search of its own.
  await type('ole')
  expect([location.search, history.length]).toEqual(['?search=ole', entries + 1])
  await type('')
  history.back()
  await vi.waitFor(() => expect(location.pathname).toBe('/overview'))
})

it('a search in place of another one is gone back from once it is that one again', async () => {
  history.replaceState(null, '', '/list?search=ole')
  render(<Page />)
  field().focus()
  const back = vi.spyOn(history, 'back')
  await type('')
  expect([location.search, history.length]).toEqual(['', entries + 1])
  await type('ole')
  await vi.waitFor(() => expect(location.search).toBe('?search=ole'))
  expect([field().value, back.mock.calls.length]).toEqual(['ole', 1])
})

it('leaving the field goes nowhere: what was pressed may lead elsewhere', async () => {
  render(<Page />)
  field().focus()
  const back = vi.spyOn(history, 'back')
  await type('hansen')
  fireEvent.change(field(), { target: { value: '' } })
  fireEvent.blur(field())
  expect([location.search, back.mock.calls.length]).toEqual(['', 0])
})
