import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { chooseFilter, ListPage } from '../support/page-objects'
import { signIn } from '../support/session'
import type { Answer, ListRequest } from '../support/fake-upstream'

/* A service that ignores a filter that it was proven to support. */
const test = testFakeUpstream()

const rows = Array.from({ length: 60 }, (_, index) => ({
  id: `p${index}`,
  reference: `R-${index}`,
  status: index % 2 === 0 ? 'Pending' : 'Settled',
}))

/** Supports only `status eq '…'`; refuses any other filter and sort order. */
function clever({ filter, orderby }: ListRequest): Answer {
  const state = /^status eq '(\w+)'$/u.exec(filter ?? '')?.[1]
  if (orderby !== null || (filter !== null && state === undefined)) return { status: 400 }
  return { body: { results: rows.filter(({ status }) => state === undefined || status === state), hasMore: false } }
}

/** Enough rows to prove a filter on: on a shorter list the desk searches the loaded rows. */
const customers = ['Ann Smith', 'Bo Larsen', 'Joanna Berg', ...Array.from({ length: 21 }, (_, at) => `Mr ${at}`)].map(
  (name, at) => ({ id: `c${at}`, name, number: String(at), handle: `cus_${at}` }),
)

/** Searches text case-sensitively: `ann` is not in `Ann`. */
function caseSensitive(_method: string, path: string, filter: string | null): Answer | null {
  if (path !== '/Customers') return null
  const terms = [...(filter ?? '').matchAll(/contains\((\w+),'(\w+)'\)/gu)]
  const found = customers.filter((customer) =>
    terms.some(([, field = '', text = '']) => String(Reflect.get(customer, field)).includes(text)),
  )
  return { body: { results: filter === null ? customers : found, hasMore: false } }
}

test('what was proven is asked of the service, and given up as soon as an answer contradicts it', {
  tag: '@long',
}, async ({ page, foreign, watch }) => {
  watch.allowStatus(422)
  foreign.answer(clever)
  await signIn(page, foreign.admin)
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const note = page.getByText(/^within [\d,]+ loaded rows$/u)
  await page.reload()
  await list.ready()
  await chooseFilter(page, 'State', ['Settled'])
  await expect(list.walk).toHaveText('All 30 loaded')
  await expect(note).toHaveCount(0)
  expect(foreign.asked.some(({ filter }) => filter === "status eq 'Settled'")).toBe(true)

  // From now on the service ignores the filter: only matching rows are shown, and the toolbar explains it.
  foreign.answer(() => ({ body: { results: rows, hasMore: false } }))
  await chooseFilter(page, 'State', ['Settled', 'Pending'])
  await expect(note).toBeVisible()
  await expect(list.walk).toHaveText('30 of all 60 match')
  await expect(list.rowsOf('Settled')).toHaveCount(0)
  await expect(list.rowsOf('Pending').first()).toBeVisible()

  // An empty result of a proven filter is not shown as "nothing" either.
  foreign.answer(({ filter }) => ({ body: { results: filter === null ? rows : [], hasMore: false } }))
  await page.goto('/payments?state=Settled')
  await expect(note).toBeVisible()
  await expect(list.walk).toHaveText('30 of all 60 match')
  await expect(list.rowsOf('Settled').first()).toBeVisible()

  // A case-sensitive service is searched anyway, and the toolbar says so.
  foreign.answerElse(caseSensitive)
  await page.goto('/customers')
  const people = new ListPage(page, 'Customers')
  await people.ready()
  await page.getByLabel('Search', { exact: true }).fill('ann')
  await expect(page.getByText('case-sensitive', { exact: true })).toBeVisible()
  await expect(people.rows).toHaveCount(1)
  await expect(people.rows).toContainText('Joanna Berg')
})
