import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import type { Session } from '../auth/session'
import { countUse } from '../auth/throttle'
import * as m from '@/lib/messages/m'

const HOUR_MS = 60 * 60_000
/** Exports and downloads that a user may start per hour. */
export const MAX_EXPORTS_PER_HOUR = 60
/** A download without a read for this long no longer counts: its client may have vanished. */
const STALLED_MS = 60_000
const RETRY_SECONDS = 10

const HOURLY_LIMIT = {
  most: MAX_EXPORTS_PER_HOUR,
  windowMs: HOUR_MS,
  explain: (seconds: number) =>
    m.refusals_mostExportsInAnHour({ most: MAX_EXPORTS_PER_HOUR, minutes: Math.ceil(seconds / 60) }),
}

declare global {
  /** When each user's running download was last read from. Global because Next loads this module once per module graph. */
  var debitdeskDownloads: Map<string, number> | undefined
}

/** Throws AppError 'too-many-attempts' with retryAfter. */
export async function countExport(db: Database, { userId }: Pick<Session, 'userId'>, now = Date.now()): Promise<void> {
  await countUse(db, { use: 'export', userId }, HOURLY_LIMIT, now)
}

/**
 * Counts and opens a streamed download; returns the stream to send. One at a time per user and desk. Throws like countExport,
 * also while another download runs, and what `open` throws.
 */
export async function countDownload(
  db: Database,
  session: Pick<Session, 'userId'>,
  open: () => Promise<ReadableStream<Uint8Array>>,
  now = Date.now,
): Promise<ReadableStream<Uint8Array>> {
  const { userId } = session
  const downloads = (globalThis.debitdeskDownloads ??= new Map<string, number>())
  const readAt = downloads.get(userId)
  if (readAt !== undefined && now() - readAt < STALLED_MS)
    throw new AppError('too-many-attempts', {
      retryAfter: RETRY_SECONDS,
      detail: m.refusals_anotherDownloadIsRunning({ seconds: RETRY_SECONDS }),
    })
  downloads.set(userId, now())
  const release = () => {
    downloads.delete(userId)
  }
  const releaseAndThrow = (error: unknown): never => {
    release()
    throw error
  }
  await countExport(db, session, now()).catch(releaseAndThrow)
  const reader = (await open().catch(releaseAndThrow)).getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        downloads.set(userId, now())
        const { done, value } = await reader.read().catch(releaseAndThrow)
        if (!done) return controller.enqueue(value)
        release()
        controller.close()
      },
      cancel: async (reason) => {
        release()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 1 },
  )
}
