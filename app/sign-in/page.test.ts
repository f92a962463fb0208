import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { router } from '@/lib/client/testing/page'
import type { OpenDatabase } from '@/lib/database/database'
import { getSettings } from '@/lib/server/runtime/settings'
import { AuthDesk, sessionCookie } from '@/lib/server/testing/auth-fixture'
import SignInPage from './page'

const desk = new AuthDesk()
let cookie: string | undefined

vi.mock('next/headers', () => ({
  cookies: async () => ({ get: (name: string) => (name === sessionCookie ? { value: cookie } : undefined) }),
  headers: async () => new Headers(),
}))

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  Object.assign(getSettings(), { OIDC_ISSUER: 'https://login.example' })
})
afterAll(() => Object.assign(getSettings(), { OIDC_ISSUER: undefined }))

async function write(search: Record<string, string>): Promise<string> {
  const page = await SignInPage({ searchParams: Promise.resolve(search) })
  return renderToString(createElement(AppRouterContext, { value: router }, page))
}

async function whileTheStoreIsAway<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
  const before = globalThis.debitdeskStore
  const away = Promise.reject<OpenDatabase>(new Error('connection refused'))
  away.catch(() => undefined)
  globalThis.debitdeskStore = away
  return run().finally(() => {
    globalThis.debitdeskStore = before
  })
}

it('who comes back from the provider while the store is away is told, and can try again', async () => {
  cookie = (await desk.signIn()).cookies.get(sessionCookie)
  const page = await whileTheStoreIsAway(async () => {
    await expect(write({ error: 'NoRole' })).rejects.toMatchObject({ code: 'store-unavailable' })
    return write({ error: 'Unavailable', callbackUrl: '/payments' })
  })
  for (const part of ['Signing in isn’t working right now.', 'Sign in with', 'name="password"', 'value="/payments"'])
    expect(page).toContain(part)
})

it('who cancelled at the provider is told that, and can go on to where they wanted', async () => {
  cookie = undefined
  const page = await write({ error: 'AccessDenied', callbackUrl: '/payments' })
  expect(page).toContain('Signing in was cancelled, or login.example refused it.')
  expect(page).toContain('Sign in with')
})

it.each([
  ['Unavailable', 'Signing in isn’t working right now.'],
  ['AccessDenied', 'Signing in was cancelled, or login.example refused it.'],
  ['NoRole', 'login.example knows you'],
])('who was to prove who they are is told of %s too, and offered the same way again', async (error, words) => {
  cookie = (await desk.signIn()).cookies.get(sessionCookie)
  const page = await write({ error, callbackUrl: '/signed-in' })
  expect(page).toContain(words)
  expect(page).not.toContain('name="password"')
  await expect(write({ callbackUrl: '/payments' })).rejects.toThrow('NEXT_REDIRECT')
})
