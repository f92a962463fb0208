import { NothingHere } from '@/components/feedback/refusals'
import { BackLink } from '@/components/layout/page-header'
import { getSettings } from '@/lib/server/runtime/settings'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.bulkCancellation_bulkCancellation)

/** The activity log may link to a bulk that is no longer retained. */
export default function BulkNotFoundPage() {
  return (
    <>
      <BackLink href="/payments/bulk">{m.bulkCancellation_bulkCancellation()}</BackLink>
      <NothingHere
        title={m.bulkCancellation_noSuchBulk()}
        about={m.bulkCancellation_noLongerKept({ days: getSettings().KEEP_BULKS })}
        href="/activity?kind=bulk"
        link={m.bulkCancellation_activityOfBulks()}
      />
    </>
  )
}
