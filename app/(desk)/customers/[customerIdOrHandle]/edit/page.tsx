import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RecordFace } from '@/components/record-face'
import { RoleRefusal } from '@/components/role-refusal'
import { Said } from '@/components/said'
import { mayRole } from '@/lib/contract/permission'
import { writePageAddress } from '@/lib/format/page-address'
import { readSegment } from '@/lib/format/read-segment'
import { readRecord } from '@/lib/server/read-record'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/customer-forms'
import { EditCustomer } from './edit-customer'

export const metadata: Metadata = { title: words.editCustomer }

export default async function EditCustomerPage({ params }: { params: Promise<{ customerIdOrHandle: string }> }) {
  const session = await requirePageSession()
  const customerIdOrHandle = readSegment((await params).customerIdOrHandle)
  const page = writePageAddress('/customers', customerIdOrHandle) ?? '/customers'
  if (!mayRole(session.role, 'manage')) {
    return (
      <>
        <BackLink href={page}>{words.customer}</BackLink>
        <PageHeader title={words.editCustomer} />
        <RoleRefusal what={words.changeCustomers} />
      </>
    )
  }
  const read = await readRecord(session, 'getCustomer', { customerIdOrHandle })
  if ('failure' in read) {
    return (
      <>
        <BackLink href="/customers">{words.customers}</BackLink>
        <RecordFace kind="Customer" idOrHandle={customerIdOrHandle} failure={read.failure} />
      </>
    )
  }
  return (
    <>
      <BackLink href={page}>{words.customer}</BackLink>
      <PageHeader title={words.editCustomer} about={read.record.name ? <Said>{read.record.name}</Said> : null} />
      <EditCustomer idOrHandle={customerIdOrHandle} customer={read.record} back={page} />
    </>
  )
}
