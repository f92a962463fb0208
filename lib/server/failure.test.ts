import { expect, it, vi } from 'vitest'
import { Failure } from './failure'

it('is known as one by another copy of its module', async () => {
  vi.resetModules()
  const copy = await import('./failure')
  expect(copy.Failure).not.toBe(Failure)
  expect(new copy.Failure('not-found')).toBeInstanceOf(Failure)
  expect(new Failure('not-found')).toBeInstanceOf(copy.Failure)
})

const renamed = Object.assign(new Error('x'), { name: 'Failure' })

it.each([
  renamed,
  Object.assign(renamed, { code: 'else' }),
  new Error('not-found'),
  new TypeError('x'),
  { name: 'Failure', code: 'not-found' },
  null,
  'Failure',
])('is not %s', (value) => expect(value instanceof Failure).toBe(false))
