import type { Metadata } from 'next'
import { after } from 'next/server'
import { BackLink } from '@/components/back-link'
import { RecordFace } from '@/components/record-face'
import { mayRole } from '@/lib/contract/permission'
import { readSegment } from '@/lib/format/read-segment'
import { forgetAgreement, rememberAgreement } from '@/lib/server/known-agreements'
import { readRecord } from '@/lib/server/read-record'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/agreement'
import { AgreementPage } from './agreement-page'

export const metadata: Metadata = { title: words.agreementLabel }

export default async function Page({ params }: { params: Promise<{ agreementIdOrHandle: string }> }) {
  const session = await requirePageSession()
  const agreementIdOrHandle = readSegment((await params).agreementIdOrHandle)
  const read = await readRecord(session, 'getAgreement', { agreementIdOrHandle })
  // The page does not wait for the desk's memory, and stands without it.
  after(async () => {
    if ('record' in read) await rememberAgreement(session, read.record, 'opened').catch(() => undefined)
    else if (read.failure.code === 'not-found')
      await forgetAgreement(session.scope, agreementIdOrHandle).catch(() => undefined)
  })
  return (
    <>
      <BackLink href="/agreements">{words.agreements}</BackLink>
      {'failure' in read ? (
        <RecordFace kind="Agreement" idOrHandle={agreementIdOrHandle} failure={read.failure} />
      ) : (
        <AgreementPage agreement={read.record} mayManage={mayRole(session.role, 'manage')} />
      )}
    </>
  )
}
