import { redirect } from 'next/navigation'
import { randomUUID } from 'node:crypto'
import { PageHeader } from '@/components/layout/page-header'
import { buttonClasses } from '@/components/ui/button'
import { hasPermission } from '@/lib/api-contract/permission'
import { buildPagePath } from '@/lib/domain/page-address'
import { forgetAgreement, listKnownAgreements } from '@/lib/server/agreements/known-agreements'
import { requirePageSession, type Session } from '@/lib/server/auth/session'
import { addMerchantParam } from '@/lib/server/auth/tenant-scope'
import { readRecord } from '@/lib/server/upstream/page-data'
import { AgreementLookup, type FailedLookup, KnownAgreementsTable } from './known-agreements'
import { Link } from '@/components/layout/link'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.agreements_agreements)

type Props = { searchParams: Promise<{ words?: string | string[]; merchant?: string | string[] }> }

/** Looks up the agreement that somebody asked for and goes to its page; stays if there is none. */
async function openAgreement(session: Session, { words, merchant }: Awaited<Props['searchParams']>) {
  const wanted = typeof words === 'string' ? words.trim() : ''
  const page = buildPagePath('/agreements', wanted)
  if (!page) return null
  const read = await readRecord(session, 'getAgreement', { agreementIdOrHandle: wanted })
  const code = 'failure' in read ? read.failure.code : null
  // Its own page tells of any other failure.
  if (code !== 'not-found' && code !== 'bad-request')
    redirect(typeof merchant === 'string' ? addMerchantParam(page, merchant) : page)
  if (code === 'not-found') await forgetAgreement(session.scope, wanted).catch(() => undefined)
  const why = code === 'not-found' ? m.problems_serviceHasNo({ kind: 'agreement' }) : m.problems_thisCannotBeAnId()
  return { words: wanted, why } satisfies FailedLookup
}

export default async function AgreementsPage({ searchParams }: Props) {
  const session = await requirePageSession()
  const failed = await openAgreement(session, await searchParams)
  const { agreements, merchant } = await listKnownAgreements(session)
  return (
    <>
      <PageHeader title={m.agreements_agreements()} about={m.agreements_agreementTiesTheMerchant()}>
        {hasPermission(session.role, 'manage') ? (
          <Link href="/agreements/new" className={buttonClasses('primary')}>
            {m.agreements_newAgreement()}
          </Link>
        ) : null}
      </PageHeader>
      <div className="grid grid-cols-1 gap-6 px-4 pb-12 md:px-8">
        <AgreementLookup failed={failed} />
        <KnownAgreementsTable agreements={agreements} loadId={randomUUID()} />
        <p className="max-w-3xl text-ink-soft">
          {m.agreements_shownAreTheAgreements()}
          {merchant === 'read' ? '' : m.agreements_itCouldNotBeRead()}
          {m.agreements_serviceOffersNoFullList()}
        </p>
      </div>
    </>
  )
}
