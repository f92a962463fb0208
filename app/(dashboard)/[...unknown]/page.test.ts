import { expect, it, vi } from 'vitest'
import UnknownPage from './page'

vi.mock('@/lib/server/auth/session', () => ({
  requirePageSession: () => Promise.reject(new Error('asked to sign in')),
}))

it.each([
  ['/nope', 'asked to sign in'],
  ['/payments/a/b', 'asked to sign in'],
  ['/_next/static/gone.js', 'NEXT_HTTP_ERROR_FALLBACK;404'],
  ['/hooks/a/b', 'NEXT_HTTP_ERROR_FALLBACK;404'],
  ['/api', 'NEXT_HTTP_ERROR_FALLBACK;404'],
])('somebody who is not signed in and asks for %s is: %s', async (path, expected) => {
  const params = Promise.resolve({ unknown: path.split('/').slice(1) })
  await expect(UnknownPage({ params })).rejects.toThrow(expected)
})
