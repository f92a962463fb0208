import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { PageHeader } from '@/components/layout/page-header'
import { buttonClasses } from '@/components/ui/button'
import { hasPermission } from '@/lib/api-contract/permission'
import { buildPagePath } from '@/lib/domain/page-address'
import { listKnownAgreements } from '@/lib/server/agreements/known-agreements'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/agreements'
import { AgreementLookup, KnownAgreementsTable } from './known-agreements'
import { Link } from '@/components/layout/link'

export const metadata: Metadata = { title: words.agreements }

type Props = { searchParams: Promise<{ words?: string | string[] }> }

export default async function AgreementsPage({ searchParams }: Props) {
  const session = await requirePageSession()
  // The lookup was submitted before hydration.
  const { words: wanted } = await searchParams
  const page = typeof wanted === 'string' ? buildPagePath('/agreements', wanted.trim()) : null
  if (page) redirect(page)
  const { agreements, merchant } = await listKnownAgreements(session)
  return (
    <>
      <PageHeader title={words.agreements} about={words.agreementTiesTheMerchant}>
        {hasPermission(session.role, 'manage') ? (
          <Link href="/agreements/new" className={buttonClasses('primary')}>
            {words.newAgreement}
          </Link>
        ) : null}
      </PageHeader>
      <div className="grid grid-cols-1 gap-6 px-4 pb-12 md:px-8">
        <AgreementLookup />
        <KnownAgreementsTable agreements={agreements} />
        <p className="max-w-3xl text-ink-soft">
          {words.shownAreTheAgreements}
          {merchant === 'read' ? '' : words.itCouldNotBeRead}
          {words.serviceOffersNoFullList}
        </p>
      </div>
    </>
  )
}
