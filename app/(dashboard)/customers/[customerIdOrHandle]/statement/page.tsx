import type { Metadata } from 'next'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { CallError } from '@/lib/client/api-client'
import { buildPagePath } from '@/lib/domain/page-address'
import { formatPageTitle } from '@/lib/domain/page-title'
import { isPeriod } from '@/lib/domain/statement'
import { readPeriod, readStatement } from '@/lib/server/overview/statement'
import { AppError } from '@/lib/server/runtime/app-error'
import { getConnection } from '@/lib/server/upstream/connection'
import { toProblemDetails } from '@/lib/server/upstream/page-data'
import type { SearchParams } from '../../../load-list'
import { CustomerError } from '../customer-error'
import { loadCustomer } from '../load-customer'
import { StatementPeriod } from './statement-period'
import { StatementView } from './statement-view'
import * as m from '@/lib/messages/m'

type PageProps = { params: Promise<{ customerIdOrHandle: string }>; searchParams: SearchParams }

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { read } = await loadCustomer((await params).customerIdOrHandle)
  return {
    title: formatPageTitle(m.statement_title(), 'record' in read ? read.record.name || read.record.handle : null),
  }
}

/** A customer's payments in a period, to print or to save. */
export default async function Page({ params, searchParams }: PageProps) {
  const { session, customerIdOrHandle, read } = await loadCustomer((await params).customerIdOrHandle)
  if ('failure' in read) return <CustomerError idOrHandle={customerIdOrHandle} failure={read.failure} />
  const { record } = read
  const query = await searchParams
  const [from, to] = [query.from, query.to].map((value) => [value].flat()[0])
  const back = buildPagePath('/customers', record.id ?? record.handle ?? customerIdOrHandle)
  const title = m.statement_titleOf({ name: record.name || record.handle || record.id || '' })
  const period = readPeriod({ from, to })
  const isRefused = !isPeriod(period)
  const statement = record.id && !isRefused ? await readOrFail(session, record.id, period) : null
  return (
    <>
      <div className="print:hidden">
        <BackLink href={back ?? '/customers'}>{m.customer_customer()}</BackLink>
      </div>
      {isRefused ? (
        <>
          <PageHeader title={title} />
          <div className="px-4 md:px-8">
            <StatementPeriod period={period} />
          </div>
        </>
      ) : statement === null ? (
        <>
          <PageHeader title={title} />
          <p className="px-4 text-ink-soft md:px-8">{m.statement_notKnown()}</p>
        </>
      ) : 'failure' in statement ? (
        <>
          <PageHeader title={title} />
          <div className="px-4 md:px-8">
            <ProblemNotice problem={toProblemInfo(CallError.of(statement.failure))} />
          </div>
        </>
      ) : (
        <StatementView
          title={title}
          merchantName={getConnection(session.scope.connectionId).name}
          number={record.number}
          statement={statement}
        />
      )}
    </>
  )
}

async function readOrFail(...given: Parameters<typeof readStatement>) {
  try {
    return await readStatement(...given)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { failure: await toProblemDetails(error) }
  }
}
