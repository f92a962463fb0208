import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { BackLink } from '@/components/back-link'
import { uuidSegment } from '@/lib/contract/path-segment'
import { mayRole } from '@/lib/contract/permission'
import { findBulk } from '@/lib/server/bulk/bulk-row'
import { viewBulk } from '@/lib/server/bulk/view-bulk'
import { Failure } from '@/lib/server/failure'
import { requirePageSession } from '@/lib/server/session'
import { requireStore } from '@/lib/server/store/require-store'
import * as words from '@/lib/words/bulk-cancellation'
import { BulkPage } from './bulk-page'

export const metadata: Metadata = { title: words.bulkCancellation }

export default async function Page({ params }: { params: Promise<{ bulkId: string }> }) {
  const session = await requirePageSession()
  const id = uuidSegment.safeParse((await params).bulkId)
  if (!id.success) notFound()
  const db = await requireStore()
  const bulk = await findBulk(db, session.scope, id.data).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not-found') notFound()
    throw error
  })
  return (
    <div className="fill-screen flex min-h-0 flex-col">
      <BackLink href="/payments/bulk">{words.bulkCancellation}</BackLink>
      <BulkPage
        first={await viewBulk(db, bulk)}
        mayCancel={mayRole(session.role, 'cancel')}
        isMine={bulk.userId === session.userId}
      />
    </div>
  )
}
