import type { Metadata } from 'next'
import { cache } from 'react'
import { BackLink } from '@/components/layout/page-header'
import { RecordError } from '@/components/feedback/record-error'
import { hasPermission } from '@/lib/api-contract/permission'
import { formatPageTitle } from '@/lib/domain/page-title'
import { decodeSegment } from '@/lib/domain/page-address'
import { readRecord } from '@/lib/server/upstream/page-data'
import { requirePageSession } from '@/lib/server/auth/session'
import { loadRelatedPayments } from '../../load-related-payments'
import type { SearchParams } from '../../load-list'
import { CustomerPage } from './customer-page'
import * as m from '@/lib/messages/m'

type PageProps = { params: Promise<{ customerIdOrHandle: string }>; searchParams: SearchParams }

const load = cache(async (segment: string) => {
  const session = await requirePageSession()
  const customerIdOrHandle = decodeSegment(segment)
  return { session, customerIdOrHandle, read: await readRecord(session, 'getCustomer', { customerIdOrHandle }) }
})

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { read } = await load((await params).customerIdOrHandle)
  return {
    title: formatPageTitle(m.customer_customer(), 'record' in read ? read.record.name || read.record.handle : null),
  }
}

export default async function Page({ params, searchParams }: PageProps) {
  const { session, customerIdOrHandle, read } = await load((await params).customerIdOrHandle)
  if ('failure' in read) {
    return (
      <>
        <BackLink href="/customers">{m.customer_customers()}</BackLink>
        <RecordError kind="Customer" idOrHandle={customerIdOrHandle} failure={read.failure} />
      </>
    )
  }
  const { record } = read
  const payments = record.id ? await loadRelatedPayments(session, 'customer/id', record.id, searchParams) : null
  return (
    <>
      <BackLink href="/customers">{m.customer_customers()}</BackLink>
      <CustomerPage
        customer={record}
        idOrHandle={customerIdOrHandle}
        payments={payments}
        mayManage={hasPermission(session.role, 'manage')}
      />
    </>
  )
}
