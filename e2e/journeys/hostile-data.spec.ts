import type { Page } from '@playwright/test'
import { reservedWords } from '@/lib/api-contract/path-segment'
import { callApi } from '../support/api'
import {
  bidiPayload,
  findHarm,
  recordId,
  scriptPayloads,
  serveMissingValues,
  serveTexts,
} from '../support/hostile-data'
import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { signIn } from '../support/session'
import type { FakeUpstream } from '../support/fake-upstream'
import { openSearch } from '../support/page-objects'

/*
 * Hostile data of a service in every field of every page: no script runs, no address becomes a link, nothing reverses or
 * hides adjacent text, and the layout holds (XS-01, XS-02, XS-04, XS-09, XS-10, XS-13, DC-09, UP-18, UP-20, AX-07).
 */
const test = testFakeUpstream()

const lists = ['/payments', '/customers', '/mandates']
const records = [
  `/payments/${recordId}`,
  `/customers/${recordId}`,
  `/customers/${recordId}/edit`,
  `/mandates/${recordId}`,
  `/agreements/${recordId}`,
  '/merchant',
  '/webhooks',
]
const others = ['/', '/agreements', '/activity', '/agreements/am_refused', '/customers/import']
const pages = [...lists, ...records, ...others]

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  if (lists.includes(path)) await expect(page.locator('[data-row-id]').first()).toBeVisible()
  if (path === '/') await expect(page.locator('[data-overview]')).not.toHaveAttribute('data-overview', 'walking')
}

async function expectNoHarm(page: Page, where: string): Promise<void> {
  expect(await findHarm(page), where).toEqual([])
}

test('no payload in any field of any page runs, links or makes an element', async ({ page, foreign, watch }) => {
  test.setTimeout(240_000)
  watch.allowStatus(400, 403, 422, 502)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    // The desk's own question before leaving a form with typed text is fine.
    if (dialog.type() !== 'beforeunload') dialogs.push(dialog.message())
    void dialog.accept()
  })
  // The first text contains all payloads, so that single records have all of them in every field.
  serveTexts(foreign, [scriptPayloads.join(' '), ...scriptPayloads])
  await signIn(page, foreign.admin)
  for (const path of pages) {
    await open(page, path)
    await expectNoHarm(page, path)
  }

  await page.goto(`/payments?open=${recordId}`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill(scriptPayloads[0] ?? '')
  await expectNoHarm(page, 'the dialog that cancels')
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  // Refused, but in a state that nobody knows: what became of it stays open.
  await expect(page.locator('[data-outcome="unknown"]').first()).toBeVisible()
  await expectNoHarm(page, 'the refusal of a cancellation')

  await page.goto(`/customers/${recordId}/edit`)
  await page.getByLabel('City', { exact: true }).fill('Ribe')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expectNoHarm(page, 'the refusal of a form')

  await page.goto(`/customers/${recordId}`)
  await page.getByRole('button', { name: 'Delete customer', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectNoHarm(page, 'the dialog that deletes')
  await page.goto('/')
  await (await openSearch(page)).fill(recordId)
  await expect(page.getByRole('group', { name: 'Records' }).getByRole('option').first()).toBeVisible()
  await expectNoHarm(page, 'the search')
  expect(dialogs).toEqual([])
})

test('what turns or hides text stands as visible marks, apart from the words around it', async ({ page, foreign }) => {
  test.setTimeout(120_000)
  serveTexts(foreign, [bidiPayload])
  await signIn(page, foreign.admin)
  for (const path of [...lists, ...records.filter((one) => !one.endsWith('/edit'))]) {
    await open(page, path)
    const main = page.getByRole('main')
    await expect(main, path).toContainText('‹U+202E›')
    const text = await main.innerText()
    expect(text, path).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/u)
  }
  await page.goto(`/payments?open=${recordId}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.locator('bdi').first()).toContainText('‹U+202E›')
  expect(await dialog.innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/u)
})

for (const [kind, name] of [
  ['10,000 letters without a space', 'x'.repeat(10_000)],
  ['right to left', 'شركة التوريدات الحديثة ذات المسؤولية المحدودة للخدمات المالية والاستشارات '.repeat(5).trim()],
  ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈🇩🇰👍🏽'.repeat(40)],
] as const) {
  test(`the layout of every page holds at 320 px with names of ${kind}, and all of the name can be read`, {
    tag: '@long',
  }, async ({ page, foreign, watch }) => {
    test.setTimeout(300_000)
    watch.allowStatus(403)
    serveTexts(foreign, [name])
    await page.setViewportSize({ width: 320, height: 700 })
    await signIn(page, foreign.admin)
    for (const path of pages) {
      await open(page, path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
    }
    for (const path of [`/payments/${recordId}`, `/customers/${recordId}`, `/mandates/${recordId}`]) {
      await open(page, path)
      const said = page.getByRole('main').locator('bdi', { hasText: name }).first()
      await expect(said, path).toContainText(name)
      const directions = await page.getByRole('main').evaluate((main, text) => {
        const alone = [...main.querySelectorAll('bdi')].filter((one) => one.textContent === text)
        return alone.map((one) => getComputedStyle(one).direction)
      }, name)
      if (kind === 'right to left') expect([...new Set(directions)], path).toEqual(['rtl'])
    }
  })
}

test('what is missing, null or nonsense is told as such on every page', async ({ page, foreign, watch }) => {
  test.setTimeout(120_000)
  watch.allowStatus(400, 403)
  serveMissingValues(foreign)
  await signIn(page, foreign.admin)
  for (const path of [...lists, ...records]) {
    await open(page, path)
    const text = await page.locator('body').innerText()
    expect(text, path).not.toMatch(/\b(?:undefined|NaN|Invalid Date)\b|\[object |1 Jan 0?001/u)
  }
})

test('a record with parts that cannot be used stands in its list, and its panel says what was left out', async ({
  page,
  foreign,
}) => {
  const makeRow = (members: string) => `{"currency":"DKK","amount":12345,${members}}`
  const bad = `"id":"${recordId}","reference":"INV-1","status":"Pending","status":"Cancelled","metaData":{"__proto__":{"polluted":"yes"}}`
  const good = Array.from({ length: 9 }, (_, at) => makeRow(`"id":"good-${at}","status":"Pending"`))
  foreign.answer(() => ({ text: `{"results":[${[makeRow(bad), ...good].join(',')}],"hasMore":false}` }))
  await signIn(page, foreign.admin, `/payments?open=${recordId}`)
  const note = page.getByRole('dialog').getByRole('region', { name: 'Parts of this record couldn’t be used' })
  await expect(note.getByRole('listitem')).toHaveText([
    'status: left out: sent twice, with different values',
    'metaData.__proto__: left out: its name is reserved by JavaScript',
  ])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.locator('[data-row-id]')).toHaveCount(10)
  expect(await findHarm(page)).toEqual([])
})

test('a record whose handle is a word of a path is opened by its id, and by the word nothing is asked (BF-03)', {
  tag: '@long',
}, async ({ page, foreign, watch }) => {
  watch.allowStatus(400, 403)
  const words = [...reservedWords, 'MANDATES', '..', 'new', 'import']
  const asked: string[] = []
  const answerElse: FakeUpstream['answerElse'] = (how) =>
    foreign.answerElse((...request) => {
      asked.push(`${request[0]} ${request[1]}`)
      return how(...request)
    })
  serveTexts({ ...foreign, answerElse }, words)
  await signIn(page, foreign.admin, '/customers')
  const rows = page.locator('[data-row-id]')
  await expect(rows).toHaveCount(words.length)
  // Clicks have no effect before hydration.
  await expect(async () => {
    await rows.first().getByRole('gridcell').first().click()
    await expect(page).toHaveURL(new RegExp(`/customers/${recordId}`, 'u'), { timeout: 3_000 })
  }).toPass()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('mandates')
  expect(asked).toContain(`GET /Customers/${recordId}`)

  asked.length = 0
  for (const word of [...reservedWords, 'MANDATES']) {
    for (const section of ['customers', 'mandates', 'agreements']) {
      await page.goto(`/${section}/${word}`)
      await expect(page.getByRole('main'), `${section} ${word}`).toContainText(
        'This isn’t an id or a handle that the provider can be asked for.',
      )
    }
    const reply = await callApi(page.request, `${foreign.url}/api/service/Customers/${word}`, {
      method: 'DELETE',
    })
    expect([400, 405], word).toContain(reply.status())
  }
  expect(asked.filter((line) => /\/(?:mandates|agreements|webhooks|subscribe|unsubscribe)$/iu.test(line))).toEqual([])
})
