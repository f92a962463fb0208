import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { findStateCounts } from '@/lib/server/overview/state-counts'
import { loadList, type SearchParams } from '../load-list'
import { PaymentsList } from '@/components/payments/payments-list'
import { paymentsTable } from '@/components/payments/payments-table'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.payments_payments)

export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const [first, stateCounts] = await Promise.all([
    loadList(session, paymentsTable, searchParams),
    findStateCounts(session),
  ])
  return (
    <PaymentsList
      initialPage={first}
      mayCancel={hasPermission(session.role, 'cancel')}
      mayBulk={hasPermission(session.role, 'bulk')}
      stateCounts={stateCounts}
    />
  )
}
