import { expectAccess } from '../support/access'
import { removeProxy } from '../support/build-without-proxy'
import { makeFolder, signInOf, startDesk } from '../support/desk'
import { expect, test } from '../support/journey'
import { sendRaw } from '../support/raw-http'

// Each route as each role is in route-access.test.ts; here a viewer and nobody prove that the server asks it.
test('every page answers each role, and every route a viewer, and nobody, as it declares (AZ-01)', async ({
  desk,
  playwright,
}) => {
  test.setTimeout(600_000)
  expect(await expectAccess(playwright, desk.url, desk.signIn, ['viewer'])).toBeGreaterThan(500)
})

test('with the proxy out of the way every door answers the same (AZ-02)', { tag: '@long' }, async ({ playwright }) => {
  test.setTimeout(600_000)
  const { folder, remove } = await makeFolder()
  const { distDir, remove: removeBuild } = await removeProxy()
  const desk = await startDesk(folder, { DIST_DIR: distDir, SEED_PAYMENTS: '50' })
  try {
    // Proves that the proxy is absent: the header that it adds is missing.
    expect((await sendRaw(desk.url, 'GET /sign-in')).headers['content-security-policy']).toBeUndefined()
    expect(await expectAccess(playwright, desk.url, (role) => signInOf(desk, role))).toBeGreaterThan(1_000)
  } finally {
    await desk.command.stop()
    await Promise.all([remove(), removeBuild()])
  }
})
