import { BackLink, PageHeader } from '@/components/layout/page-header'
import { hasPermission } from '@/lib/api-contract/permission'
import { listRolesWith } from '@/lib/domain/roles'
import { listBulks } from '@/lib/server/bulk-cancellations/queries'
import { requirePageSession } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { requireStore } from '@/lib/server/store/store'
import { BulkList } from './bulk-list'
import { NewBulk } from './new-bulk'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.bulkCancellation_bulkCancellation)

export default async function Page() {
  const session = await requirePageSession()
  const bulks = await listBulks(await requireStore(), session.scope, session.userId)
  const mayStart = hasPermission(session.role, 'bulk')
  return (
    <>
      <BackLink href="/payments">{m.bulkCancellation_payments()}</BackLink>
      <PageHeader
        title={m.bulkCancellation_bulkCancellation()}
        about={mayStart ? m.bulkCancellation_manyPaymentsCancelledAsOne() : null}
      />
      <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-8 px-4 pb-12 md:px-8">
        {mayStart ? (
          <NewBulk />
        ) : (
          <p className="text-ink-soft">
            {m.problems_onlyRoles({ roles: listRolesWith('bulk'), what: m.bulkCancellation_startBulks() })}
          </p>
        )}
        <BulkList initialBulks={bulks} mayStart={mayStart} />
        <p className="text-[0.8125rem] text-ink-soft">
          {m.bulkCancellation_bulksAreKept({ days: getSettings().KEEP_BULKS })}
        </p>
      </div>
    </>
  )
}
