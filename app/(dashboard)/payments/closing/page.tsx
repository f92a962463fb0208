import type { Metadata } from 'next'
import { cache } from 'react'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { hasPermission } from '@/lib/api-contract/permission'
import { findClosing } from '@/lib/domain/cancellations/closing-filter'
import { nameClosingDay, titleClosing } from '@/lib/domain/cancellations/closing-title'
import { zoneCity, parseCutOffRules } from '@/lib/domain/cancellations/cut-off'
import { dayInZone, formatDay } from '@/lib/domain/dates/date'
import { getConnection } from '@/lib/server/upstream/connection'
import { readReaderLocale } from '@/lib/server/http/reader-locale'
import { requirePageSession } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { loadList, type SearchParams } from '../../load-list'
import { PaymentsList } from '@/components/payments/payments-list'
import { closingTable } from '@/components/payments/payments-table'
import * as m from '@/lib/messages/m'

/** Once a request, so that title and list are of the same day. */
const load = cache(async () => {
  const session = await requirePageSession()
  const { SCHEME_ZONE: zone, CANCEL_CUTOFF } = getSettings()
  const { cancellable } = getConnection(session.scope.connectionId).rules
  const now = Date.now()
  const closing = findClosing(now, cancellable, { rules: parseCutOffRules(CANCEL_CUTOFF) ?? [], zone })
  return { session, zone, now, closing, locale: await readReaderLocale() }
})

export async function generateMetadata(): Promise<Metadata> {
  const { closing, locale } = await load()
  return { title: titleClosing(closing, locale) }
}

/** Payments whose estimated cut-off is today; if there are none, those of the next such day. */
export default async function ClosingPage({ searchParams }: { searchParams: SearchParams }) {
  const { session, zone, now, closing, locale } = await load()
  const about = m.paymentPage_whatCanBeCancelledUntil({
    today: formatDay(closing?.day ?? dayInZone(now, zone), locale),
    zone: zoneCity(zone),
  })
  return (
    <>
      <BackLink href="/payments">{m.paymentPage_payments()}</BackLink>
      <PageHeader title={titleClosing(closing, locale)} about={about} />
      {closing?.isToday ? null : (
        // An empty list shows nothing that can be cancelled.
        <p className="px-4 pb-4 md:px-8 [&:has(+.dt-embedded_.list-no-rows)>span]:hidden">
          {m.paymentPage_nothingMoreClosesToday()}{' '}
          {closing ? (
            <>
              {m.paymentPage_nextIsOn({ day: nameClosingDay(closing.day, locale) })}{' '}
              <span>{m.paymentPage_whatCanIsListed()}</span>
            </>
          ) : (
            m.paymentPage_noneFallsOnTheNext()
          )}
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
