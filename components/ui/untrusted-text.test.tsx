import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { DataTree } from '../records/data-tree'
import { LongText } from './untrusted-text'

it.each([
  ['600 letters', 'x'.repeat(600)],
  ['eight lines', 'x\n'.repeat(7)],
  ['nothing', ''],
])('shows %s as they are', (_, text) => {
  render(<LongText label="Handle" text={text} />)
  expect(screen.queryByRole('group')).toBeNull()
})

it.each([
  ['601 letters', 'x'.repeat(601)],
  ['nine lines', 'x\n'.repeat(8)],
])('lets %s scroll in their place, by keyboard too', (_, text) => {
  render(<LongText label="Handle" text={text} />)
  const group = screen.getByRole('group', { name: 'Handle' })
  expect(group.tabIndex).toBe(0)
  expect(group.textContent).toBe(text)
})

it('keeps how a long text is shown', () => {
  render(
    <LongText label="Name" text={'x'.repeat(700)}>
      <button type="button">all of it</button>
    </LongText>,
  )
  expect(screen.getByRole('group', { name: 'Name' }).contains(screen.getByRole('button'))).toBe(true)
})

it('names what scrolls in a tree by its key, and shortens a long key', () => {
  render(<DataTree value={{ terms: 'x'.repeat(700), ['k'.repeat(900)]: 1 }} />)
  const names = screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))
  expect(names).toEqual(['terms', `${'k'.repeat(60)}…`])
})
