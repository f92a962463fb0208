import pino from 'pino'
import { getRequestContext } from './request-context'
import { parseSettings, type Settings } from './settings'

type ErrorDescription = { name: string; code?: string; frames: string[]; cause?: ErrorDescription }

/**
 * The loggable part of an exception: its name, code and stack frames, and the same of its cause. Never its message,
 * into which drivers write statements with their values.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line))
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    frames: frames.slice(0, 8).map((line) => line.trim()),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}

type LogSettings = Pick<Settings, 'LOG_LEVEL' | 'LOG_REDACT'>

/** Invalid settings stop the start, which reports them; until then the log is as without them. */
function readLogSettings(): LogSettings {
  try {
    return globalThis.debitdeskSettings ?? parseSettings(process.env)
  } catch {
    return { LOG_LEVEL: 'info', LOG_REDACT: [] }
  }
}

/** A log that writes to a stream, with the named fields masked. */
export function createLog({ LOG_LEVEL, LOG_REDACT }: LogSettings, stream: pino.DestinationStream): pino.Logger {
  return pino(
    {
      base: null,
      level: LOG_LEVEL,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: getRequestFields,
      redact: { paths: LOG_REDACT, censor: '…' },
    },
    stream,
  )
}

/**
 * The desk's log: JSON lines on standard output. Fields are chosen one by one where a line is written: never a body, a
 * cookie, a credential or an exception's message (see describeError). The request, trace and user are added.
 */
export const log = createLog(readLogSettings(), process.stdout)

function getRequestFields(): Record<string, string> {
  const context = getRequestContext()
  if (!context) return {}
  const { requestId, traceId, userId, apiToken } = context
  return { requestId, traceId, ...(userId !== undefined && { userId }), ...(apiToken && { tokenId: apiToken.id }) }
}
