import { expect, it } from 'vitest'
import { followPages } from './list-pages'

it('goes on to each page once', () => {
  const follow = followPages()
  expect(follow({ kind: 'more', after: 'a' })).toEqual({ kind: 'more', after: 'a' })
  expect(follow({ kind: 'more', after: 'b' })).toEqual({ kind: 'more', after: 'b' })
  expect(follow({ kind: 'more', after: 'a' })).toEqual({ kind: 'incomplete', reason: 'offset-repeated' })
})

it('lists do not know of each other', () => {
  followPages()({ kind: 'more', after: 'a' })
  expect(followPages()({ kind: 'more', after: 'a' })).toEqual({ kind: 'more', after: 'a' })
})

it.each([{ kind: 'end' }, { kind: 'incomplete', reason: 'no-offset' }] as const)('ends as the page says: %o', (end) => {
  expect(followPages()(end)).toEqual(end)
})
