import { type APIRequestContext, expect } from '@playwright/test'
import type { SignIn } from './start-desk'

/** Signs in without a page: the cookies of `context` are those of a signed-in browser afterwards. */
export async function signInByCall(
  context: APIRequestContext,
  desk: string,
  { email, password }: SignIn,
): Promise<void> {
  const { csrfToken } = await (await context.get(`${desk}/api/auth/csrf`)).json()
  const form = { csrfToken, email, password, json: 'true' }
  const reply = await context.post(`${desk}/api/auth/callback/credentials`, { form })
  expect(reply.ok()).toBe(true)
}
