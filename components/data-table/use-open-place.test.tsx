import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useOpenPlace } from './use-open-place'

type Shown = { keys: readonly string[]; open: string | null; view?: string }

/** The place of the open row; `opened` is what its moves have opened. */
function showPlace(first: Shown) {
  const opened: (string | null)[] = []
  const hook = renderHook(
    ({ keys, open, view = 'all' }: Shown) => {
      const list = {
        size: keys.length,
        keyAt: (at: number) => keys[at] ?? '',
        indexOf: (key: string) => keys.indexOf(key),
      }
      return useOpenPlace(list, open, view, (choose) => opened.push(choose(open)))
    },
    { initialProps: first },
  )
  const look = () => {
    const { isFirst, isLast, move } = hook.result.current.moves
    opened.length = 0
    act(() => move(-1))
    act(() => move(1))
    return [isFirst, isLast, ...opened]
  }
  return { look, show: hook.rerender }
}

it.each<[string, Shown, readonly string[], unknown[]]>([
  ['between two', { keys: ['a', 'b', 'c'], open: 'b' }, ['a', 'c'], [false, false, 'a', 'c']],
  ['as the first', { keys: ['a', 'b', 'c'], open: 'a' }, ['b', 'c'], [true, false, null, 'b']],
  ['as the last', { keys: ['a', 'b', 'c'], open: 'c' }, ['a', 'b'], [false, true, 'b', null]],
  ['as the only one', { keys: ['a'], open: 'a' }, [], [true, true, null, null]],
])('a row that stood %s and has left its list has the neighbours of its place', (_, before, keys, expected) => {
  const { look, show } = showPlace(before)
  show({ ...before, keys })
  expect(look()).toEqual(expected)
})

it('a row that is in its list has its own neighbours, wherever it stands by now', () => {
  const { look, show } = showPlace({ keys: ['a', 'b', 'c'], open: 'b' })
  expect(look()).toEqual([false, false, 'a', 'c'])
  show({ keys: ['b', 'c', 'a'], open: 'b' })
  expect(look()).toEqual([true, false, null, 'c'])
})

it('a row has no place in a view that never showed it', () => {
  const { look, show } = showPlace({ keys: ['a', 'b', 'c'], open: 'b' })
  show({ keys: ['a', 'c'], open: 'b', view: 'other' })
  expect(look()).toEqual([true, true, null, null])
})
