// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { forgetPlace, keepPlace, placeIn } from './list-places'

it('keeps where the reader was, part by part, view by view', () => {
  keepPlace('a', { top: 400 })
  keepPlace('a', { focusKey: 'p7' })
  keepPlace('b', { ticks: { p1: true } })
  expect(placeIn('a')).toEqual({ top: 400, focusKey: 'p7', ticks: {} })
  expect(placeIn('b')).toEqual({ top: 0, focusKey: null, ticks: { p1: true } })
})

it('begins at the top for who chooses a view anew', () => {
  keepPlace('a', { top: 400 })
  forgetPlace('a')
  expect(placeIn('a')).toEqual({ top: 0, focusKey: null, ticks: {} })
})

it('forgets what nobody was in for longest, once there are more than fifty', () => {
  for (let view = 0; view < 50; view += 1) keepPlace(String(view), { top: view + 1 })
  keepPlace('0', { top: 7 })
  keepPlace('one more', { top: 1 })
  expect(['0', '1', '2', 'one more'].map((view) => placeIn(view).top)).toEqual([7, 0, 3, 1])
})
