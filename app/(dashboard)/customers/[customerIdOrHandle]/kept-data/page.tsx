import { RoleRefusal } from '@/components/feedback/refusals'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { KeptData } from '@/components/people/kept-data'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { hasPermission } from '@/lib/api-contract/permission'
import { buildPagePath, decodeSegment } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { readRecord } from '@/lib/server/upstream/page-data'
import { CustomerError } from '../customer-error'

export const generateMetadata = createMetadata(m.people_keptTitle)

/** What is kept about a customer. */
export default async function Page({ params }: { params: Promise<{ customerIdOrHandle: string }> }) {
  const session = await requirePageSession()
  const customerIdOrHandle = decodeSegment((await params).customerIdOrHandle)
  const page = buildPagePath('/customers', customerIdOrHandle) ?? '/customers'
  if (!hasPermission(session.role, 'administer')) {
    return (
      <>
        <BackLink href={page}>{m.customer_customer()}</BackLink>
        <PageHeader title={m.people_keptTitle()} />
        <RoleRefusal what={m.people_administer()} />
      </>
    )
  }
  const read = await readRecord(session, 'getCustomer', { customerIdOrHandle })
  if ('failure' in read) return <CustomerError idOrHandle={customerIdOrHandle} failure={read.failure} />
  const { id, handle, name } = read.record
  const person = { name: '', number: '', addressLine1: '', addressLine2: '', others: [], ids: [] }
  return (
    <>
      <BackLink href={page}>{m.customer_customer()}</BackLink>
      <PageHeader title={m.people_keptTitle()} about={name ? <UntrustedText>{name}</UntrustedText> : null} />
      <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        <KeptData person={{ ...person, customer: id ?? handle ?? customerIdOrHandle }} />
      </div>
    </>
  )
}
