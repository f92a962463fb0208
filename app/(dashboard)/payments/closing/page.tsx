import { BackLink, PageHeader } from '@/components/layout/page-header'
import { hasPermission } from '@/lib/api-contract/permission'
import { findClosing } from '@/lib/domain/cancellations/closing-filter'
import { zoneCity, parseCutOffRules } from '@/lib/domain/cancellations/cut-off'
import { dayInZone, formatDay, formatWeekday } from '@/lib/domain/date'
import { getConnection } from '@/lib/server/upstream/connection'
import { readReaderLocale } from '@/lib/server/http/reader-locale'
import { requirePageSession } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { loadList, type SearchParams } from '../../load-list'
import { PaymentsList } from '@/components/payments/payments-list'
import { closingTable } from '@/components/payments/payments-table'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.paymentPage_closingToday)

/** Payments whose estimated cut-off is today; if there are none, those of the next such day. */
export default async function ClosingPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const { SCHEME_ZONE: zone, CANCEL_CUTOFF } = getSettings()
  const { cancellable } = getConnection(session.scope.connectionId).rules
  const now = Date.now()
  const facts = { rules: parseCutOffRules(CANCEL_CUTOFF) ?? [], zone }
  const closing = findClosing(now, cancellable, facts)
  const locale = await readReaderLocale()
  const nameDay = (day: string) =>
    m.dates_weekdayAndDay({ weekday: formatWeekday(day, locale, 'long'), day: formatDay(day, locale) })
  const about = m.paymentPage_whatCanBeCancelledUntil({
    today: formatDay(closing?.day ?? dayInZone(now, zone), locale),
    zone: zoneCity(zone),
  })
  return (
    <>
      <BackLink href="/payments">{m.paymentPage_payments()}</BackLink>
      <PageHeader title={m.paymentPage_closingTodayEstimate()} about={about} />
      {closing?.isToday ? null : (
        <p className="px-4 pb-4 md:px-8">
          {m.paymentPage_nothingMoreClosesToday()}{' '}
          {closing ? m.paymentPage_nextIsOnWhatCan({ day: nameDay(closing.day) }) : m.paymentPage_noneFallsOnTheNext()}
        </p>
      )}
      {closing ? (
        <PaymentsList
          initialPage={await loadList(session, closingTable, searchParams, closing.filter)}
          baseFilter={closing.filter}
          empty={{ title: m.paymentPage_noPaymentCloses(), advice: m.paymentPage_noneIsPlannedSoThat() }}
          mayCancel={hasPermission(session.role, 'cancel')}
          mayBulk={hasPermission(session.role, 'bulk')}
          showsCutOff
        />
      ) : null}
    </>
  )
}
