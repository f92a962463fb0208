import type { ActivityView } from '@/lib/contract/activity'
import type { Database } from '@/lib/database/open-database'
import { writeCsvRow } from '@/lib/format/write-csv'
import type { Session } from '../session'
import type { ActivityFilterQuery } from './activity-query'
import { listActivity } from './list-activity'

const head = ['sequence', 'time_utc', 'person', 'action', 'outcome', 'kind', 'object', 'details', 'hash']

function writeRow({ id, at, actor, action, outcome, objectKind, objectId, details, hash }: ActivityView): string {
  return writeCsvRow([id, at, actor, action, outcome ?? '', objectKind, objectId, JSON.stringify(details), hash])
}

/**
 * The log as CSV, a page at a time as the reader takes it: memory stays flat however long it is, and a
 * reader that goes away ends it. Ends with an error, so that the download fails, where the store does.
 */
export function streamActivity(db: Database, session: Session, query: ActivityFilterQuery): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after: number | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${writeCsvRow(head)}`)),
      pull: async (controller) => {
        const { results, continuation } = await listActivity(db, session, { query, after, limit: 500 })
        controller.enqueue(encoder.encode(results.map(writeRow).join('')))
        if (continuation.kind !== 'more') controller.close()
        else after = Number(continuation.after)
      },
    },
    { highWaterMark: 1 },
  )
}
