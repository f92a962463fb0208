import { randomUUID } from 'node:crypto'
import { notFound } from 'next/navigation'
import { BackLink } from '@/components/layout/page-header'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { ruleFor } from '@/lib/domain/cancellations/needs-approval'
import { hasPermission, permissionForList } from '@/lib/api-contract/permission'
import { findBulk, viewBulk } from '@/lib/server/bulk-cancellations/queries'
import { readApprovalRule } from '@/lib/server/cancellations/intents'
import { AppError } from '@/lib/server/runtime/app-error'
import { readBulkRows } from '@/lib/server/bulk-cancellations/result-rows'
import { requirePageSession } from '@/lib/server/auth/session'
import { requireOpenStore } from '@/lib/server/store/store'
import { BulkPage } from './bulk-page'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.bulkCancellation_bulkCancellation)

/** The rows of a started bulk in the server's HTML; the browser reads the others. */
const FIRST_ROWS = 100

export default async function Page({ params }: { params: Promise<{ bulkId: string }> }) {
  const session = await requirePageSession()
  const id = uuidSegment.safeParse((await params).bulkId)
  if (!id.success) notFound()
  const store = await requireOpenStore()
  const { db } = store
  const bulk = await findBulk(db, session.scope, id.data).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') notFound()
    throw error
  })
  const isToApprove = bulk.state === 'awaiting' && bulk.userId !== session.userId
  return (
    <div className="fill-screen flex min-h-0 flex-col">
      <BackLink href="/payments/bulk">{m.bulkCancellation_bulkCancellation()}</BackLink>
      <BulkPage
        initialView={await viewBulk(db, bulk)}
        firstRows={
          bulk.startedAt === null ? null : await readBulkRows(store, bulk, { from: 0, since: null, limit: FIRST_ROWS })
        }
        loadId={randomUUID()}
        mayCancel={hasPermission(session.role, isToApprove ? 'bulk' : permissionForList(bulk.count))}
        isMine={bulk.userId === session.userId}
        rule={
          bulk.state === 'preparing' || bulk.state === 'ready'
            ? ruleFor(await readApprovalRule(db, session.scope), session.role)
            : null
        }
      />
    </div>
  )
}
