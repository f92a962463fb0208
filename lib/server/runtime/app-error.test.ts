import { expect, it, vi } from 'vitest'
import { AppError } from './app-error'

it('is known as one by another copy of its module', async () => {
  vi.resetModules()
  const copy = await import('./app-error')
  expect(copy.AppError).not.toBe(AppError)
  expect(new copy.AppError('not-found')).toBeInstanceOf(AppError)
  expect(new AppError('not-found')).toBeInstanceOf(copy.AppError)
})

const renamed = Object.assign(new Error('x'), { name: 'AppError' })

it.each([
  renamed,
  Object.assign(renamed, { code: 'else' }),
  new Error('not-found'),
  new TypeError('x'),
  { name: 'AppError', code: 'not-found' },
  null,
  'AppError',
])('is not %s', (value) => expect(value instanceof AppError).toBe(false))
