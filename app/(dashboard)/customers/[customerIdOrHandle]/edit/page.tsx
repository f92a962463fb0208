import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { hasPermission } from '@/lib/api-contract/permission'
import { decodeSegment, buildPagePath } from '@/lib/domain/page-address'
import { readRecord } from '@/lib/server/upstream/page-data'
import { requirePageSession } from '@/lib/server/auth/session'
import { CustomerError } from '../customer-error'
import { EditCustomer } from './edit-customer'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.customerForms_editCustomer)

export default async function EditCustomerPage({ params }: { params: Promise<{ customerIdOrHandle: string }> }) {
  const session = await requirePageSession()
  const customerIdOrHandle = decodeSegment((await params).customerIdOrHandle)
  const page = buildPagePath('/customers', customerIdOrHandle) ?? '/customers'
  if (!hasPermission(session.role, 'manage')) {
    return (
      <>
        <BackLink href={page}>{m.customerForms_customer()}</BackLink>
        <PageHeader title={m.customerForms_editCustomer()} />
        <RoleRefusal what={m.customerForms_changeCustomers()} />
      </>
    )
  }
  const read = await readRecord(session, 'getCustomer', { customerIdOrHandle })
  if ('failure' in read) return <CustomerError idOrHandle={customerIdOrHandle} failure={read.failure} />
  return (
    <>
      <BackLink href={page}>{m.customerForms_customer()}</BackLink>
      <PageHeader
        title={m.customerForms_editCustomer()}
        about={read.record.name ? <UntrustedText>{read.record.name}</UntrustedText> : null}
      />
      <EditCustomer idOrHandle={customerIdOrHandle} customer={read.record} back={page} />
    </>
  )
}
