import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { addDays } from '@/lib/contract/business-days'
import { mayRole } from '@/lib/contract/permission'
import { makeClosingFilter } from '@/lib/format/closing-filter'
import { type CutOffFacts, readCutOffRules } from '@/lib/format/cut-off'
import { dayInZone, formatDay, nameWeekday } from '@/lib/format/date'
import { nameZone } from '@/lib/format/describe-cut-off'
import { getConnection } from '@/lib/server/connection'
import { readReaderLocale } from '@/lib/server/reader-locale'
import { requirePageSession } from '@/lib/server/session'
import { getSettings } from '@/lib/server/settings'
import * as words from '@/lib/words/payment-page'
import { loadList, type SearchParams } from '../../load-list'
import { PaymentsList } from '../payments-list'
import { paymentsTable } from '../payments-table'

export const metadata: Metadata = { title: words.closingToday }

const daysAhead = 14

/** The first day from today on that a cut-off falls on, and the payments that close then. */
function findClosing(today: string, cancellable: readonly string[], facts: CutOffFacts) {
  for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
    const day = addDays(today, ahead)
    const filter = makeClosingFilter(day, cancellable, facts)
    if (filter) return { day, filter }
  }
  return null
}

/** The payments that can be cancelled for the last time today, by the desk's estimate; where none can, those of the next such day. */
export default async function ClosingPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const { SCHEME_ZONE: zone, CANCEL_CUTOFF } = getSettings()
  const { cancellable } = getConnection(session.scope.connectionId).rules
  const today = dayInZone(Date.now(), zone)
  const facts = { rules: readCutOffRules(CANCEL_CUTOFF) ?? [], zone }
  const closing = findClosing(today, cancellable, facts)
  const locale = await readReaderLocale()
  const nameDay = (day: string) => `${nameWeekday(day, locale, 'long')} ${formatDay(day, locale)}`
  const isToday = closing?.day === today
  const about = words.whatCanBeCancelledUntil(formatDay(closing?.day ?? today, locale), nameZone(zone))
  return (
    <>
      <BackLink href="/payments">{words.payments}</BackLink>
      <PageHeader title={words.closingTodayEstimate} about={about} />
      {isToday ? null : (
        <p className="px-4 pb-4 md:px-8">
          {words.nothingClosesTodayNoCut} {nameDay(today)}.{' '}
          {closing ? words.nextIsOnWhatCan(nameDay(closing.day)) : words.noneFallsOnTheNext}
        </p>
      )}
      {closing ? (
        <PaymentsList
          first={await loadList(session, paymentsTable, searchParams, closing.filter)}
          within={closing.filter}
          empty={{ title: words.noPaymentCloses, advice: words.noneIsPlannedSoThat }}
          mayCancel={mayRole(session.role, 'cancel')}
        />
      ) : null}
    </>
  )
}
