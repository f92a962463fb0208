import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHeader } from '@/components/page-header'
import { buttonClasses } from '@/components/ui/button'
import { mayRole } from '@/lib/contract/permission'
import { listKnownAgreements } from '@/lib/server/known-agreements'
import { requirePageSession } from '@/lib/server/session'
import { AgreementLookup } from './agreement-lookup'
import { KnownAgreementsTable } from './known-agreements-table'

export const metadata: Metadata = { title: 'Agreements' }

export default async function AgreementsPage() {
  const session = await requirePageSession()
  const { agreements, merchant } = await listKnownAgreements(session)
  return (
    <>
      <PageHeader title="Agreements" about="An agreement ties the merchant to a scheme.">
        {mayRole(session.role, 'manage') ? (
          <Link href="/agreements/new" prefetch={false} className={buttonClasses('primary')}>
            New agreement
          </Link>
        ) : null}
      </PageHeader>
      <div className="grid grid-cols-1 gap-6 px-4 pb-12 md:px-8">
        <AgreementLookup />
        <KnownAgreementsTable agreements={agreements} />
        <p className="max-w-3xl text-ink-soft">
          The service has no list of agreements. These are the ones that were created or opened on this desk, by anybody
          of the team, and those that the merchant record names
          {merchant === 'read' ? '' : ' (it could not be read just now)'}. There may be others: open one by its id or
          handle, and it is remembered. The state is the one that was read last.
        </p>
      </div>
    </>
  )
}
