import { expect, it } from 'vitest'
import { clearScrollPosition, saveScrollPosition, getScrollPosition } from './scroll-position'

it('keeps where the reader was, part by part, view by view', () => {
  saveScrollPosition('a', { top: 400 })
  saveScrollPosition('a', { focusKey: 'p7' })
  saveScrollPosition('b', { selection: { p1: true } })
  expect(getScrollPosition('a')).toEqual({ top: 400, focusKey: 'p7', selection: {} })
  expect(getScrollPosition('b')).toEqual({ top: 0, focusKey: null, selection: { p1: true } })
})

it('begins at the top for who chooses a view anew', () => {
  saveScrollPosition('a', { top: 400 })
  clearScrollPosition('a')
  expect(getScrollPosition('a')).toEqual({ top: 0, focusKey: null, selection: {} })
})

it('forgets what nobody was in for longest, once there are more than fifty', () => {
  for (let view = 0; view < 50; view += 1) saveScrollPosition(String(view), { top: view + 1 })
  saveScrollPosition('0', { top: 7 })
  saveScrollPosition('one more', { top: 1 })
  expect(['0', '1', '2', 'one more'].map((view) => getScrollPosition(view).top)).toEqual([7, 0, 3, 1])
})
