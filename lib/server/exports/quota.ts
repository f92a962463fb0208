import { AppError } from '../runtime/app-error'
import { limitRate } from '../runtime/limits'
import type { Session } from '../auth/session'

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

type ExportUsage = {
  startedAt: number[]
  /** When the running download was last read from. */
  readAt: number | null
}

declare global {
  /** By user id. Global because Next loads this module once per module graph. */
  var debitdeskExportUse: Map<string, ExportUsage> | undefined
}

function getUsage({ userId }: Pick<Session, 'userId'>): ExportUsage {
  const usages = (globalThis.debitdeskExportUse ??= new Map())
  const usage = usages.get(userId) ?? { startedAt: [], readAt: null }
  usages.set(userId, usage)
  return usage
}

/** Throws AppError 'too-many-attempts' with retryAfter. */
export function countExport(session: Pick<Session, 'userId'>, now = Date.now()): void {
  const usage = getUsage(session)
  usage.startedAt = limitRate(usage.startedAt, HOURLY_LIMIT, now)
}

/**
 * Counts and opens a streamed download; returns the stream to send. One at a time per user. Throws like countExport,
 * also while another download runs, and what `open` throws.
 */
export async function countDownload(
  session: Pick<Session, 'userId'>,
  open: () => Promise<ReadableStream<Uint8Array>>,
  now = Date.now,
): Promise<ReadableStream<Uint8Array>> {
  const usage = getUsage(session)
  if (usage.readAt !== null && now() - usage.readAt < STALLED_MS)
    throw new AppError('too-many-attempts', {
      retryAfter: RETRY_SECONDS,
      detail: m.refusals_anotherDownloadIsRunning({ seconds: RETRY_SECONDS }),
    })
  countExport(session, now())
  usage.readAt = now()
  const release = () => {
    usage.readAt = null
  }
  const releaseAndThrow = (error: unknown): never => {
    release()
    throw error
  }
  const reader = (await open().catch(releaseAndThrow)).getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        usage.readAt = now()
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
