import { confirmCancellation, openCancelDialog, outcomeOf, readCancellations } from '../support/cancellation'
import type { Fault } from '../support/fault-proxy'
import { expect } from '../support/journey'
import { testBehindFaults } from '../support/own-desk'
import { takePendingPayment } from '../support/api'
import { signIn } from '../support/session'

const test = testBehindFaults(async () => ({ CANCEL_GRACE: '3 s' }))

const accepted: [string, Fault][] = [
  ['the connection breaks after the service accepted', 'reset-after'],
  ['the service accepts and its reply never comes', 'swallow-reply'],
]

for (const [what, fault] of accepted) {
  test(`${what}: the outcome is unknown, then the truth`, { tag: fault === 'swallow-reply' ? '@long' : [] }, async ({
    page,
    pair,
    context,
  }) => {
    test.setTimeout(150_000)
    await signIn(page, pair.admin)
    const payment = await takePendingPayment(context.request, pair.desk.url)
    await page.goto(`/payments/${payment.id}`)
    const dialog = await openCancelDialog(page)
    pair.proxy.setFault(fault)
    await confirmCancellation(dialog, 'Lost on the way')
    await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'unknown', { timeout: 60_000 })
    await expect(outcomeOf(page)).toContainText('Outcome unknown')
    await expect(page.getByText(/failed/iu)).toHaveCount(0)
    await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 60_000 })
    expect(await readCancellations(pair.service.dataDir, payment.id)).toHaveLength(1)
    pair.proxy.setFault('pass')
  })
}
