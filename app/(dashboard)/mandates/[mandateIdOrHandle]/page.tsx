import type { Metadata } from 'next'
import { cache } from 'react'
import { BackLink } from '@/components/layout/page-header'
import { RecordError } from '@/components/feedback/record-error'
import { formatPageTitle } from '@/lib/domain/page-title'
import { decodeSegment } from '@/lib/domain/page-address'
import { readRecord } from '@/lib/server/upstream/page-data'
import { requirePageSession } from '@/lib/server/auth/session'
import { loadRelatedPayments } from '../../load-related-payments'
import type { SearchParams } from '../../load-list'
import { MandatePage } from './mandate-page'
import * as m from '@/lib/messages/m'

type PageProps = { params: Promise<{ mandateIdOrHandle: string }>; searchParams: SearchParams }

const load = cache(async (segment: string) => {
  const session = await requirePageSession()
  const mandateIdOrHandle = decodeSegment(segment)
  return { session, mandateIdOrHandle, read: await readRecord(session, 'getMandate', { mandateIdOrHandle }) }
})

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { read } = await load((await params).mandateIdOrHandle)
  return {
    title: formatPageTitle(m.mandate_mandateLabel(), 'record' in read ? read.record.handle || read.record.id : null),
  }
}

export default async function Page({ params, searchParams }: PageProps) {
  const { session, mandateIdOrHandle, read } = await load((await params).mandateIdOrHandle)
  if ('failure' in read) {
    return (
      <>
        <BackLink href="/mandates">{m.mandate_mandates()}</BackLink>
        <RecordError kind="Mandate" idOrHandle={mandateIdOrHandle} failure={read.failure} />
      </>
    )
  }
  const { record } = read
  const payments = record.id ? await loadRelatedPayments(session, 'mandate/id', record.id, searchParams) : null
  return (
    <>
      <BackLink href="/mandates">{m.mandate_mandates()}</BackLink>
      <MandatePage mandate={record} payments={payments} />
    </>
  )
}
