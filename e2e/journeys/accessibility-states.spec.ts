import type { Page } from '@playwright/test'
import { findViolations } from '../support/accessibility'
import { recordId, serveTexts } from '../support/hostile-data'
import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { textsOn } from '../support/language'
import { signIn } from '../support/session'
import type { Answer, FakeUpstream } from '../support/fake-upstream'

/*
 * Every page in every state, light and dark, in each language, at 320 px (AX-01). `npm run test:long` tests all of them, `npm test` a daily
 * selection.
 */
const test = testFakeUpstream()

const pages = [
  '/',
  '/payments',
  `/payments/${recordId}`,
  '/attention',
  '/payments/closing',
  '/payments/bulk',
  '/customers',
  '/customers/new',
  '/customers/import',
  `/customers/${recordId}`,
  `/customers/${recordId}/edit`,
  '/mandates',
  `/mandates/${recordId}`,
  '/agreements',
  '/agreements/new',
  `/agreements/${recordId}`,
  '/webhooks',
  '/merchant',
  '/merchant?new=1',
  '/merchant/doctor',
  '/merchants',
  '/merchants/new',
  '/activity',
  '/team',
  '/account',
  '/reference',
]

const answerAll = (answer: Answer) => (foreign: FakeUpstream) => {
  foreign.answer(() => answer)
  foreign.answerElse(() => answer)
}

const empty = { body: { results: [], hasMore: false, nextOffset: null } }
const refused = { title: 'Not for you', detail: 'The merchant may not.', instance: '/x', status: 403 }

/** The service's replies in each state. `loading`: only lists wait for the service in the browser. */
const states = {
  full: (foreign: FakeUpstream) => serveTexts(foreign, ['Ann Smith', 'Bo Larsen']),
  empty: answerAll(empty),
  missing: answerAll({ status: 404, body: { title: 'Not found', status: 404 } }),
  refused: answerAll({ status: 403, body: refused }),
  broken: answerAll({ status: 500 }),
  'slowed-down': answerAll({
    status: 429,
    headers: { 'retry-after': '60' },
    body: { title: 'Slow down', status: 429 },
  }),
  loading: (foreign: FakeUpstream) => {
    serveTexts(foreign, ['Ann Smith'])
    foreign.answer(() => ({ ...empty, delay: 8_000 }))
  },
}

type State = keyof typeof states

async function openDialogs(page: Page): Promise<void> {
  const text = await textsOn(page)
  const cancel = async () => {
    await page.goto(`/payments?open=${recordId}`)
    const panel = page.getByRole('dialog')
    await expect(panel).toContainText('Ann Smith')
    expect(await findViolations(page), 'the panel').toEqual([])
    await panel.getByRole('button', { name: text('cancelButton_cancelPayment'), exact: true }).click()
  }
  const press = (path: string, name: `${string}_${string}`) => async () => {
    await page.goto(path)
    await page
      .getByRole('main')
      .getByRole('button', { name: text(name), exact: true })
      .first()
      .click()
  }
  for (const open of [
    cancel,
    press(`/customers/${recordId}`, 'customer_deleteCustomer'),
    press(`/agreements/${recordId}`, 'agreement_deleteAgreement'),
    press('/webhooks', 'webhooks_unsubscribe'),
  ]) {
    await open()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toBeVisible()
    await dialog.evaluate((one) => Promise.all(one.getAnimations({ subtree: true }).map(({ finished }) => finished)))
    expect(await findViolations(page), await dialog.innerText()).toEqual([])
  }
}

const schemes = ['light', 'dark'] as const
const names = Object.keys(states).filter((name): name is State => name in states)
const locales = ['en-GB', 'da-DK'] as const
const cases = names.flatMap((state) =>
  schemes.flatMap((colorScheme) => locales.map((locale) => ({ state, colorScheme, locale }))),
)

for (const { state, colorScheme, locale } of cases) {
  test.describe(locale, () => {
    test.use({ locale })
    test(`no page breaks a rule of axe at 320 px, ${colorScheme}: ${state}`, {
      tag: '@long',
    }, async ({ page, foreign, watch }) => {
      test.setTimeout(400_000)
      watch.allowStatus(400, 403, 404, 429, 502, 503, 504)
      await page.setViewportSize({ width: 320, height: 700 })
      await page.emulateMedia({ colorScheme })
      states[state](foreign)
      await signIn(page, foreign.admin, '/reference')
      for (const path of pages) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        expect.soft(await findViolations(page), path).toEqual([])
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
      }
      if (state === 'full') await openDialogs(page)
    })
  })
}
