import { AppError } from '../runtime/app-error'
import { limitRate } from '../runtime/limits'
import type { Session } from '../auth/session'
import * as refusals from '@/lib/words/refusals'

const HOUR_MS = 60 * 60_000
/** Exports, and downloads of their files, that somebody may begin within an hour. */
export const MAX_EXPORTS_PER_HOUR = 60
/** A download that nobody has read from for so long does not count as running: its reader may have gone unseen. */
const STALLED_MS = 60_000
const RETRY_SECONDS = 10

const hourly = {
  most: MAX_EXPORTS_PER_HOUR,
  windowMs: HOUR_MS,
  explain: (seconds: number) => refusals.mostExportsInAnHour(MAX_EXPORTS_PER_HOUR, Math.ceil(seconds / 60)),
}

type Use = { begun: number[] /** When the download that runs was last read from. */; readAt: number | null }

declare global {
  /** What each person has exported of late, by user id; one per process. */
  var debitdeskExportUse: Map<string, Use> | undefined
}

function getUse({ userId }: Pick<Session, 'userId'>): Use {
  const uses = (globalThis.debitdeskExportUse ??= new Map())
  const use = uses.get(userId) ?? { begun: [], readAt: null }
  uses.set(userId, use)
  return use
}

/** Counts an export that somebody begins. Throws AppError 'too-many-attempts', which says when there is room again. */
export function countExport(session: Pick<Session, 'userId'>, now = Date.now()): void {
  const use = getUse(session)
  use.begun = limitRate(use.begun, hourly, now)
}

/**
 * Counts a download that is put together while it is read, opens it, and answers the stream to send: one at a time of
 * each person. Throws as countExport does, also while another one runs, and what `open` throws.
 */
export async function countDownload(
  session: Pick<Session, 'userId'>,
  open: () => Promise<ReadableStream<Uint8Array>>,
  now = Date.now,
): Promise<ReadableStream<Uint8Array>> {
  const use = getUse(session)
  if (use.readAt !== null && now() - use.readAt < STALLED_MS)
    throw new AppError('too-many-attempts', {
      retryAfter: RETRY_SECONDS,
      detail: refusals.anotherDownloadIsRunning(RETRY_SECONDS),
    })
  countExport(session, now())
  use.readAt = now()
  const release = () => {
    use.readAt = null
  }
  const releaseAndThrow = (error: unknown): never => {
    release()
    throw error
  }
  const reader = (await open().catch(releaseAndThrow)).getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        use.readAt = now()
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
