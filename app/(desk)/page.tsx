import type { Metadata } from 'next'
import { Suspense } from 'react'
import { PageHeader } from '@/components/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { requirePageSession } from '@/lib/server/session'
import { ConnectionCard } from './connection-card'
import { OpenCancellations } from './open-cancellations'
import { PlaceCards } from './place-cards'

export const metadata: Metadata = { title: 'Overview' }

/** What stands between the desk and its work: the state of the connection, and cancellations without an end. */
export default async function OverviewPage() {
  const session = await requirePageSession()
  return (
    <>
      <PageHeader title="Overview" />
      <div className="grid max-w-5xl gap-4 px-4 pt-1 pb-8 md:px-8">
        <Suspense fallback={<Skeleton className="h-23 rounded-lg" />}>
          <ConnectionCard session={session} />
        </Suspense>
        <Suspense fallback={<Skeleton className="h-23 rounded-lg" />}>
          <OpenCancellations session={session} />
        </Suspense>
        <PlaceCards />
      </div>
    </>
  )
}
