import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { RecordFace } from '@/components/record-face'
import { readSegment } from '@/lib/format/read-segment'
import { readRecord } from '@/lib/server/read-record'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/mandate'
import { loadCollected } from '../../load-collected'
import type { SearchParams } from '../../load-list'
import { MandatePage } from './mandate-page'

export const metadata: Metadata = { title: words.mandateLabel }

type PageProps = { params: Promise<{ mandateIdOrHandle: string }>; searchParams: SearchParams }

export default async function Page({ params, searchParams }: PageProps) {
  const session = await requirePageSession()
  const mandateIdOrHandle = readSegment((await params).mandateIdOrHandle)
  const read = await readRecord(session, 'getMandate', { mandateIdOrHandle })
  if ('failure' in read) {
    return (
      <>
        <BackLink href="/mandates">{words.mandates}</BackLink>
        <RecordFace kind="Mandate" idOrHandle={mandateIdOrHandle} failure={read.failure} />
      </>
    )
  }
  const { record } = read
  const payments = record.id ? await loadCollected(session, 'mandate/id', record.id, searchParams) : null
  return (
    <>
      <BackLink href="/mandates">{words.mandates}</BackLink>
      <MandatePage mandate={record} payments={payments} />
    </>
  )
}
