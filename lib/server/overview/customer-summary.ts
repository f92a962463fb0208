import { dayInZone } from '@/lib/domain/dates/date'
import type { CustomerSummary } from '@/lib/domain/overview'
import type { Session } from '../auth/session'
import { makeLedgerRules } from '../cancellations/ledger'
import { getSettings } from '../runtime/settings'
import { getConnection } from '../upstream/connection'
import { readCustomerPayments } from '../upstream/customer-payments'
import { PaymentTally } from './payment-tally'

/** Counts a customer's payments; null when the service can't be asked for them. Throws AppError. */
export async function summarizeCustomer(session: Session, customerId: string): Promise<CustomerSummary | null> {
  const read = await readCustomerPayments(session, customerId)
  if (read === null) return null
  const settings = getSettings()
  const zone = settings.SCHEME_ZONE
  const now = new Date()
  const rules = makeLedgerRules(getConnection(session.scope.connectionId).rules, settings)
  const tally = new PaymentTally(rules, zone, now, null)
  tally.add(read.payments)
  return {
    today: dayInZone(now.getTime(), zone),
    figures: tally.figures(),
    counted: tally.counted,
    isComplete: read.isComplete,
  }
}
