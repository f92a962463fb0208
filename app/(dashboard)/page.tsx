import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { PageHeader } from '@/components/layout/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { ConnectionCard, LastSetUpSteps, OpenCancellations, SetUpSteps } from './overview-cards'
import { Figures } from './figures'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.overview_overview)

/** Figures, open cancellations, connection status and setup steps. */
export default async function OverviewPage() {
  const session = await requirePageSession('account')
  if (!hasPermission(session.role, 'read')) redirect('/activity')
  return (
    <>
      <PageHeader title={m.overview_overview()} />
      <div className="grid max-w-7xl 2xl:max-w-[110rem] grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-8 md:px-8">
        <Suspense fallback={<LastSetUpSteps session={session} />}>
          <SetUpSteps session={session} />
        </Suspense>
        <Figures>
          <Suspense fallback={<Skeleton className="h-23 rounded-lg" />}>
            <OpenCancellations session={session} />
          </Suspense>
          <Suspense fallback={<Skeleton className="h-23 rounded-lg" />}>
            <ConnectionCard session={session} />
          </Suspense>
        </Figures>
      </div>
    </>
  )
}
