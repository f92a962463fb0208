import { expectAccess } from '../support/access'
import { expect, test } from '../support/journey'

test('every route and page answers each role, and nobody, as it declares (AZ-01)', async ({ desk, playwright }) => {
  test.setTimeout(300_000)
  expect(await expectAccess(playwright, desk.url, desk.signIn)).toBeGreaterThan(1_000)
})
