import { expect, it } from 'vitest'
import { clearListPlace, saveListPlace, getListPlace } from './list-place'

it('keeps where the reader was, part by part, view by view', () => {
  saveListPlace('a', { top: 400 })
  saveListPlace('a', { focusKey: 'p7' })
  saveListPlace('b', { selection: { p1: true } })
  expect(getListPlace('a')).toEqual({ top: 400, focusKey: 'p7', selection: {} })
  expect(getListPlace('b')).toEqual({ top: 0, focusKey: null, selection: { p1: true } })
})

it('begins at the top for who chooses a view anew', () => {
  saveListPlace('a', { top: 400 })
  clearListPlace('a')
  expect(getListPlace('a')).toEqual({ top: 0, focusKey: null, selection: {} })
})

it('forgets what nobody was in for longest, once there are more than fifty', () => {
  for (let view = 0; view < 50; view += 1) saveListPlace(String(view), { top: view + 1 })
  saveListPlace('0', { top: 7 })
  saveListPlace('one more', { top: 1 })
  expect(['0', '1', '2', 'one more'].map((view) => getListPlace(view).top)).toEqual([7, 0, 3, 1])
})
