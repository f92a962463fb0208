import type { Metadata } from 'next'
import { Suspense } from 'react'
import { BackLink } from '@/components/layout/page-header'
import type { Customer } from '@/lib/api-contract/customers'
import { hasPermission } from '@/lib/api-contract/permission'
import { formatPageTitle } from '@/lib/domain/page-title'
import { Skeleton } from '@/components/ui/skeleton'
import { buildPagePath } from '@/lib/domain/page-address'
import type { Session } from '@/lib/server/auth/session'
import { summarizeCustomer } from '@/lib/server/overview/customer-summary'
import { AppError, errorTitles } from '@/lib/server/runtime/app-error'
import { loadRelatedPayments } from '../../load-related-payments'
import type { SearchParams } from '../../load-list'
import { CustomerPage } from './customer-page'
import { CustomerSummaryFigures } from './customer-summary'
import { CustomerError } from './customer-error'
import { loadCustomer } from './load-customer'
import * as m from '@/lib/messages/m'

type PageProps = { params: Promise<{ customerIdOrHandle: string }>; searchParams: SearchParams }

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { read } = await loadCustomer((await params).customerIdOrHandle)
  return {
    title: formatPageTitle(m.customer_customer(), 'record' in read ? read.record.name || read.record.handle : null),
  }
}

/** The figures, or the title of the error that there are none for; null when the service can't be asked for them. */
async function readSummary(session: Session, customerId: string) {
  try {
    return await summarizeCustomer(session, customerId)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { failure: errorTitles[error.code]() }
  }
}

type SummaryProps = { session: Session; customer: Customer & { id: string }; page: string }

/** A customer's figures, streamed after the rest of the page. */
async function Summary({ session, customer: { id, name, number }, page }: SummaryProps) {
  const summary = await readSummary(session, id)
  if (summary === null) return <p className="text-ink-soft">{m.customerSummary_notKnown()}</p>
  if ('failure' in summary)
    return <p className="text-caution">{m.customerSummary_couldNotBeLoaded({ title: summary.failure })}</p>
  return (
    <CustomerSummaryFigures
      summary={summary}
      customerId={id}
      name={[name, number].filter(Boolean).join(', ') || id}
      statementHref={`${page}/statement`}
    />
  )
}

export default async function Page({ params, searchParams }: PageProps) {
  const { session, customerIdOrHandle, read } = await loadCustomer((await params).customerIdOrHandle)
  if ('failure' in read) return <CustomerError idOrHandle={customerIdOrHandle} failure={read.failure} />
  const { record } = read
  const page = buildPagePath('/customers', record.id ?? record.handle ?? customerIdOrHandle)
  const payments = record.id ? await loadRelatedPayments(session, 'customer/id', record.id, searchParams) : null
  return (
    <>
      <BackLink href="/customers">{m.customer_customers()}</BackLink>
      <CustomerPage
        customer={record}
        idOrHandle={customerIdOrHandle}
        payments={payments}
        mayManage={hasPermission(session.role, 'manage')}
        mayAdminister={hasPermission(session.role, 'administer')}
        mayWrite={hasPermission(session.role, 'cancel')}
      >
        {record.id && page ? (
          <Suspense fallback={<Skeleton className="mb-4 h-36.5 rounded-lg max-sm:h-78" />}>
            <Summary session={session} customer={{ ...record, id: record.id }} page={page} />
          </Suspense>
        ) : null}
      </CustomerPage>
    </>
  )
}
