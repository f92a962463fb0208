import { dayInZone } from '@/lib/domain/dates/date'
import { listStatementLines, parsePeriod, type Period, type Statement } from '@/lib/domain/statement'
import type { Session } from '../auth/session'
import { getSettings } from '../runtime/settings'
import { readCustomerPayments } from '../upstream/customer-payments'

/** The period that a statement's address names. */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  return parsePeriod(from, to, dayInZone(Date.now(), getSettings().SCHEME_ZONE))
}

/** Reads a customer's statement; null when the service can't be asked for the customer's payments. Throws AppError. */
export async function readStatement(session: Session, customerId: string, period: Period): Promise<Statement | null> {
  const read = await readCustomerPayments(session, customerId)
  if (read === null) return null
  const { SCHEME_ZONE: zone } = getSettings()
  const { payments, isComplete } = read
  return {
    period,
    today: dayInZone(Date.now(), zone),
    lines: listStatementLines(payments, period, zone),
    isComplete,
    counted: payments.length,
  }
}
