import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followTheme } from '@/lib/client/theme'
import { themeScript } from '@/lib/client/theme-script'
import { startDeskServer } from '@/lib/client/testing/desk-server'
import { SignOutButton, ThemeSwitch } from './account-controls'

const choices = [
  { value: 'light', name: 'Light', icon: null },
  { value: 'dark', name: 'Dark', icon: null },
  { value: 'system', name: 'Match system', icon: null },
] as const

const page = document.documentElement

beforeEach(() => {
  localStorage.clear()
  delete page.dataset.theme
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function chosen(): string[] {
  return screen.getAllByRole<HTMLInputElement>('radio', { checked: true }).map(({ value }) => value)
}

it('begins as the system says, marks what is chosen and keeps it', () => {
  render(<ThemeSwitch choices={choices} />)
  expect(chosen()).toEqual(['system'])
  fireEvent.click(screen.getByRole('radio', { name: 'Dark' }))
  expect([page.dataset.theme, localStorage.getItem('theme')]).toEqual(['dark', 'dark'])
  fireEvent.click(screen.getByRole('radio', { name: 'Match system' }))
  expect([page.dataset.theme, localStorage.getItem('theme')]).toEqual([undefined, 'system'])
})

it('shows what was chosen where the browser keeps nothing', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  render(<ThemeSwitch choices={choices} />)
  fireEvent.click(screen.getByRole('radio', { name: 'Dark' }))
  expect(page.dataset.theme).toBe('dark')
  expect(chosen()).toEqual(['dark'])
})

it('follows another tab', () => {
  const stop = followTheme()
  render(<ThemeSwitch choices={choices} />)
  localStorage.setItem('theme', 'light')
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'light' }))
  })
  expect(page.dataset.theme).toBe('light')
  expect(chosen()).toEqual(['light'])
  stop()
})

it('whoever signs out leaves the theme and the switched off shortcut to the device, and nothing else', async () => {
  const desk = await startDeskServer()
  localStorage.setItem('theme', 'dark')
  localStorage.setItem('debitdesk-slash', 'off')
  localStorage.setItem('other', 'left behind')
  desk.answerWith(({ path }) => {
    // As the reply’s Clear-Site-Data has the browser do.
    if (path.endsWith('/signout')) localStorage.clear()
    return { json: { csrfToken: 'token', url: 'https://desk.example/' } }
  })
  render(<SignOutButton />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  await vi.waitFor(() =>
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ theme: 'dark', 'debitdesk-slash': 'off' }),
  )
  await desk.close()
})

it('whoever is not signed out, for the token did not match, is told so', async () => {
  const desk = await startDeskServer()
  const url = 'https://desk.example/api/auth/signout?csrf=true'
  desk.answerWith(() => ({ json: { csrfToken: 'token', url } }))
  render(<SignOutButton />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  expect((await screen.findByRole('alert')).textContent).toContain('You’re still signed in')
  await desk.close()
})

it('marks none on the server', () => {
  const html = renderToString(<ThemeSwitch choices={choices} />)
  expect(html).toContain('disabled')
  expect(html).not.toContain('checked')
})

it.each([
  ['dark', 'dark'],
  ['light', 'light'],
  ['system', undefined],
  ['"><script>', undefined],
])('a page opens with the kept theme %s', (kept, shown) => {
  localStorage.setItem('theme', kept)
  // oxlint-disable-next-line no-implied-eval -- the script of the page's head, as the browser runs it
  new Function(themeScript)()
  expect(page.dataset.theme).toBe(shown)
})
