import { callApi, cancellationOf, takePendingPayment } from '../support/api'
import { bidiPayload, findHarm, scriptPayloads } from '../support/hostile-data'
import { expect } from '../support/journey'
import { testBehindFaults } from '../support/own-desk'
import { refuseStreams, signIn } from '../support/session'

/* Text typed by users is as untrusted as a service's data, because it is stored and shown to others (XS-01). */
const test = testBehindFaults()

/** Packs whole payloads into texts of up to `length` characters. */
function pack(length: number): string[] {
  const packed = ['']
  for (const payload of [...scriptPayloads, bidiPayload].map((one) => one.replaceAll(/\p{Cc}/gu, ''))) {
    const last = packed.at(-1) ?? ''
    if (last.length + payload.length < length) packed[packed.length - 1] = `${last} ${payload}`.trim()
    else packed.push(payload.slice(0, length))
  }
  return packed
}

/** Names with invisible characters are refused, so those are removed. */
const asName = (text: string) => text.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '')

test('nothing that people type and others read runs, links or makes an element', { tag: '@long' }, async ({
  page,
  pair,
  watch,
}) => {
  test.setTimeout(240_000)
  watch.allowStatus(400, 404)
  page.on('dialog', (dialog) => void dialog.accept())
  await refuseStreams(page.context())
  const { url } = pair.desk
  await signIn(page, pair.admin)
  const send = async (path: string, body: unknown, method = 'POST') => {
    // Named explicitly, because this user also has the merchants that are added here.
    const headers = { 'x-debitdesk-merchant': 'default' }
    const reply = await callApi(page.request, `${url}/api/desk/${path}`, { method, body, headers })
    expect(reply.status(), `${path}: ${await reply.text()}`).toBeLessThan(300)
    return reply.json()
  }
  const [reason = '', otherReason = ''] = pack(490)
  const all = scriptPayloads.join(' ').replaceAll(/\p{Cc}/gu, '')

  const payment = await takePendingPayment(page.request, url)
  await send('cancellations', cancellationOf(payment, reason))
  for (const name of pack(78).map(asName))
    await send('views', { list: 'payments', name, query: `q=${name}`, isShared: true })
  const [fileName = ''] = pack(190).map(asName)
  const text = `name,city\n${pack(90)
    .map((one) => `"${one.replaceAll('"', '""')}","${one.slice(0, 40).replaceAll('"', '""')}"`)
    .join('\n')}\n`
  await send('imports', { fileName, text, mapping: { name: 0, city: 1 } })
  const other = await takePendingPayment(page.request, url)
  const rows = [{ given: other.id, reason: otherReason }, ...pack(490).map((given) => ({ given, reason: given }))]
  const { id: bulkId } = await send('bulk', { kind: 'list', name: fileName, rows })
  for (const name of pack(78).slice(0, 3).map(asName))
    await send('merchants', { name, baseUrl: pair.proxy.url, auth: 'basic', secret: pair.service.token, mode: 'test' })

  const found: string[] = []
  const look = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    await page.waitForLoadState('networkidle')
    for (const harm of await findHarm(page)) found.push(`${path}: ${harm}`)
  }
  for (const path of [
    '/',
    '/payments',
    `/payments/${payment.id}`,
    '/customers',
    '/customers/import',
    '/activity',
    '/payments/bulk',
    `/payments/bulk/${bulkId}`,
    '/merchants',
    '/merchant',
    '/team',
    '/account',
    `/payments?q=${encodeURIComponent(all.slice(0, 1_500))}`,
    `/customers?q=${encodeURIComponent(all.slice(0, 1_500))}`,
    `/activity?actor=${encodeURIComponent(all.slice(0, 1_500))}`,
    `/sign-in?error=${encodeURIComponent(all.slice(0, 1_500))}&callbackUrl=${encodeURIComponent(all.slice(0, 1_500))}`,
    `/set-password#${encodeURIComponent(all.slice(0, 1_500))}`,
  ])
    await look(path)
  expect(found).toEqual([])

  // Makes sure that the texts were stored and shown.
  const log = page.getByRole('main')
  await page.goto(`/payments/${payment.id}`)
  await expect(log).toContainText('<ScRiPt>window.__xss=1</sCrIpT>')
  await page.goto('/merchants')
  await expect(log).toContainText('window.__xss=1')
  await page.goto('/customers/import')
  await expect(log).toContainText('window.__xss=1')
})
