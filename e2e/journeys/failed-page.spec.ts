import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

test('a page whose script fails says so within the shell, and Retry loads it anew', async ({
  page,
  desk,
  context,
  browser,
}) => {
  await signIn(page, desk.signIn('viewer'))
  // In a context of its own: what the browser says of the failure is no fault here.
  const broken = await browser.newContext({ storageState: await context.storageState(), baseURL: desk.url })
  await broken.addInitScript(() => {
    if (sessionStorage.getItem('failed')) return
    sessionStorage.setItem('failed', 'once')
    Object.defineProperty(globalThis, 'ResizeObserver', { value: undefined })
  })
  const failing = await broken.newPage()
  await failing.goto('/payments')
  await expect(failing.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await expect(failing.getByRole('navigation').first()).toBeVisible()
  await expect(failing.getByRole('link', { name: 'Start page' })).toBeVisible()
  expect(await findViolations(failing)).toEqual([])
  await failing.getByRole('button', { name: 'Retry' }).click()
  await new ListPage(failing, 'Payments').ready()
  await expect(failing.getByRole('heading', { name: 'This page could not be shown' })).toHaveCount(0)
  await broken.close()
})
