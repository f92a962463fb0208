import type { Metadata } from 'next'
import { after } from 'next/server'
import { cache } from 'react'
import { BackLink } from '@/components/layout/page-header'
import { RecordError } from '@/components/feedback/record-error'
import { hasPermission } from '@/lib/api-contract/permission'
import { formatPageTitle } from '@/lib/domain/page-title'
import { decodeSegment } from '@/lib/domain/page-address'
import { forgetAgreement, rememberAgreement } from '@/lib/server/agreements/known-agreements'
import { readRecord } from '@/lib/server/upstream/page-data'
import { requirePageSession } from '@/lib/server/auth/session'
import { AgreementPage } from './agreement-page'
import * as m from '@/lib/messages/m'

type PageProps = { params: Promise<{ agreementIdOrHandle: string }> }

const load = cache(async (segment: string) => {
  const session = await requirePageSession()
  const agreementIdOrHandle = decodeSegment(segment)
  return { session, agreementIdOrHandle, read: await readRecord(session, 'getAgreement', { agreementIdOrHandle }) }
})

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { read } = await load((await params).agreementIdOrHandle)
  return {
    title: formatPageTitle(
      m.agreement_agreementLabel(),
      'record' in read ? read.record.handle || read.record.id : null,
    ),
  }
}

export default async function Page({ params }: PageProps) {
  const { session, agreementIdOrHandle, read } = await load((await params).agreementIdOrHandle)
  // The page does not depend on updating the known agreements.
  after(async () => {
    if ('record' in read) await rememberAgreement(session, read.record, 'opened').catch(() => undefined)
    else if (read.failure.code === 'not-found')
      await forgetAgreement(session.scope, agreementIdOrHandle).catch(() => undefined)
  })
  return (
    <>
      <BackLink href="/agreements">{m.agreement_agreements()}</BackLink>
      {'failure' in read ? (
        <RecordError kind="Agreement" idOrHandle={agreementIdOrHandle} failure={read.failure} />
      ) : (
        <AgreementPage agreement={read.record} mayManage={hasPermission(session.role, 'manage')} />
      )}
    </>
  )
}
