import type { Metadata } from 'next'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import { loadTable, type SearchParams } from '../load-table'
import { PaymentsList } from './payments-list'
import { paymentsTable } from './payments-table'
import * as words from '@/lib/words/payments'

export const metadata: Metadata = { title: words.payments }

export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const table = await loadTable(session, paymentsTable, searchParams)
  return <PaymentsList {...table} mayCancel={mayRole(session.role, 'cancel')} />
}
