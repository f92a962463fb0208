import { expect, type Page, type PlaywrightWorkerArgs } from '@playwright/test'

type Library = PlaywrightWorkerArgs['playwright']

/** Ends the session of a page on the server, as an admin or time would: its browser learns nothing of it. */
export async function endSession(page: Page, playwright: Library): Promise<void> {
  const { origin } = new URL(page.url())
  const copy = await playwright.request.newContext({ storageState: await page.context().storageState() })
  const { csrfToken } = await (await copy.get(`${origin}/api/auth/csrf`)).json()
  const answer = await copy.post(`${origin}/api/auth/signout`, { form: { csrfToken, json: 'true' } })
  expect(answer.ok()).toBe(true)
  await copy.dispose()
}
