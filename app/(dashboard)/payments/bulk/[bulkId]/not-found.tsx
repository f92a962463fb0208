import type { Metadata } from 'next'
import { NothingHere } from '@/components/feedback/refusals'
import { getSettings } from '@/lib/server/runtime/settings'
import * as words from '@/lib/words/bulk-cancellation'

export const metadata: Metadata = { title: words.bulkCancellation }

/** The activity log may link to a bulk that is no longer retained. */
export default function BulkNotFoundPage() {
  return (
    <NothingHere
      title={words.noSuchBulk}
      about={words.noLongerKept(getSettings().KEEP_BULKS)}
      href="/activity?kind=bulk"
      link={words.activityOfBulks}
    />
  )
}
