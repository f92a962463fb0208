import { expect, type Page } from '@playwright/test'
import { signIn } from './sign-in'
import type { Role, SignIn } from './start-desk'

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

/** Long before anything asks a session for its password again (five minutes). */
const fresh = 90_000
const sessions = new Map<string, { cookies: Cookies; since: number }>()

/**
 * Opens `path` signed in as a role. The first time it signs in at the form; for a while after, other journeys of this
 * worker come with that session. It is a load of the page: keys count only once its script works. For journeys that
 * neither are about signing in nor end a session.
 */
export async function enter(
  page: Page,
  desk: { url: string; signIn: (role: Role) => SignIn },
  { role, path = '/payments' }: { role: Role; path?: string },
): Promise<void> {
  const key = `${role} ${desk.url}`
  const known = sessions.get(key)
  if (known && Date.now() - known.since < fresh) {
    await page.context().addCookies(known.cookies)
    await page.goto(path)
    // Somebody may have ended it: then the form is shown, as ever.
    if (!new URL(page.url()).pathname.startsWith('/sign-in'))
      return expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.context().clearCookies()
  }
  const since = Date.now()
  await signIn(page, desk.signIn(role), path)
  sessions.set(key, { cookies: await page.context().cookies(), since })
}
