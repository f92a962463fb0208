import { expect, it } from 'vitest'
import { compareRouteSizes } from './route-sizes'

it('leaves a route alone that grew by 5 %, shrank or is gone', () => {
  expect(compareRouteSizes({ '/': 1_000, '/team': 2_000, '/old': 1 }, { '/': 1_050, '/team': 1_000 })).toEqual([])
})

it('names a route that grew by more than 5 %, with what it was and what it is', () => {
  expect(compareRouteSizes({ '/': 102_400, '/team': 102_400 }, { '/': 107_622, '/team': 102_400 })).toEqual([
    '/ grew by 5.1 %: 100.0 KB of script before, 105.1 KB now.',
  ])
})

it('names a route whose size nobody has accepted', () => {
  expect(compareRouteSizes({ '/': 10 }, { '/': 10, '/constructor': 2_048, constructor: 1_024 })).toEqual([
    '/constructor is new: 2.0 KB of script.',
    'constructor is new: 1.0 KB of script.',
  ])
})
