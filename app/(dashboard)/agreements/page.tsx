import { redirect } from 'next/navigation'
import { randomUUID } from 'node:crypto'
import { PageHeader } from '@/components/layout/page-header'
import { buttonClasses } from '@/components/ui/button'
import { hasPermission } from '@/lib/api-contract/permission'
import { buildPagePath } from '@/lib/domain/page-address'
import { listKnownAgreements } from '@/lib/server/agreements/known-agreements'
import { requirePageSession } from '@/lib/server/auth/session'
import { addMerchantParam } from '@/lib/server/auth/tenant-scope'
import { AgreementLookup, KnownAgreementsTable } from './known-agreements'
import { Link } from '@/components/layout/link'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.agreements_agreements)

type Props = { searchParams: Promise<{ words?: string | string[]; merchant?: string | string[] }> }

export default async function AgreementsPage({ searchParams }: Props) {
  const session = await requirePageSession()
  // The lookup was submitted before hydration.
  const { words, merchant: asked } = await searchParams
  const sent = typeof words === 'string' ? words.trim() : null
  const page = buildPagePath('/agreements', sent)
  if (page) redirect(typeof asked === 'string' ? addMerchantParam(page, asked) : page)
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
        <AgreementLookup agreements={agreements} sent={sent} />
        <KnownAgreementsTable agreements={agreements} merchant={merchant} loadId={randomUUID()} />
        <p className="max-w-3xl text-ink-soft">
          {m.agreements_shownAreTheAgreements()}
          {merchant === 'read' ? '' : m.agreements_itCouldNotBeRead()}
          {m.agreements_serviceOffersNoFullList()}
        </p>
      </div>
    </>
  )
}
