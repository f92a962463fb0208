import type { Metadata } from 'next'
import { PageHeader } from '@/components/page-header'
import { buttonClasses } from '@/components/ui/button'
import { mayRole } from '@/lib/contract/permission'
import { listKnownAgreements } from '@/lib/server/known-agreements'
import { requirePageSession } from '@/lib/server/session'
import { AgreementLookup } from './agreement-lookup'
import { KnownAgreementsTable } from './known-agreements-table'
import { Link } from '@/components/link'

export const metadata: Metadata = { title: 'Agreements' }

export default async function AgreementsPage() {
  const session = await requirePageSession()
  const { agreements, merchant } = await listKnownAgreements(session)
  return (
    <>
      <PageHeader title="Agreements" about="An agreement ties the merchant to a scheme.">
        {mayRole(session.role, 'manage') ? (
          <Link href="/agreements/new" className={buttonClasses('primary')}>
            New agreement
          </Link>
        ) : null}
      </PageHeader>
      <div className="grid grid-cols-1 gap-6 px-4 pb-12 md:px-8">
        <AgreementLookup />
        <KnownAgreementsTable agreements={agreements} />
        <p className="max-w-3xl text-ink-soft">
          Shown are the agreements that somebody of the team has created or opened here, and those that the merchant
          record names{merchant === 'read' ? '' : ' (it could not be read just now)'}. The service offers no full list:
          there may be others. Open one by its id or handle, and it stays here for the whole team, with the state that
          was read last.
        </p>
      </div>
    </>
  )
}
