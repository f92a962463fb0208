import { request as requests } from '@playwright/test'
import { confirmCancellation, openCancelDialog, outcomeOf, readCancellations } from '../support/cancellation'
import type { DeskBehindFaults, Fault } from '../support/fault-proxy'
import { expect } from '../support/journey'
import { testBehindFaults } from '../support/own-desk'
import { takePendingPayment } from '../support/api'
import { signIn } from '../support/session'

const test = testBehindFaults(async () => ({ CANCEL_GRACE: '2 s' }))

/** The payment's state in the service's own API. */
async function readState(pair: DeskBehindFaults, paymentId: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${pair.service.token}:`).toString('base64')}`
  const context = await requests.newContext({ extraHTTPHeaders: { authorization } })
  const filter = encodeURIComponent(`id eq '${paymentId}'`)
  const reply = await context.get(`${pair.service.url}/Payments?filter=${filter}`)
  const page: { results: { status: string }[] } = await reply.json()
  await context.dispose()
  return page.results[0]?.status ?? 'absent'
}

const crashes: [string, Fault][] = [
  ['before the service has heard of it', 'hold'],
  ['after the service accepted', 'swallow-reply'],
]

for (const [when, fault] of crashes) {
  test(`killed ${when} and started again: the true outcome`, { tag: '@long' }, async ({
    page,
    pair,
    context,
    watch,
  }) => {
    watch.allowStatus(500, 502)
    await signIn(page, pair.admin)
    const payment = await takePendingPayment(context.request, pair.desk.url)
    await page.goto(`/payments/${payment.id}`)
    const dialog = await openCancelDialog(page)
    pair.proxy.setFault(fault)
    await confirmCancellation(dialog, 'Killed on the way')
    await pair.proxy.sawDelete()
    if (fault === 'swallow-reply') {
      await expect.poll(async () => (await readCancellations(pair.service.dataDir, payment.id)).length).toBe(1)
    }
    await page.goto('about:blank')
    await pair.desk.kill()
    pair.proxy.setFault('pass')
    await pair.restartDesk()

    await page.goto(`/payments/${payment.id}`)
    await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 62_000 })
    expect(await readState(pair, payment.id)).toBe('Cancelled')
    expect(await readCancellations(pair.service.dataDir, payment.id)).toHaveLength(1)
  })
}
