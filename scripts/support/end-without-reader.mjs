import { isMainThread } from 'node:worker_threads'

/** Longer than the desk needs to finish pending work (lib/server/runtime/stop.ts). */
const STOP_TIMEOUT_MS = 36_000

/**
 * Ends this process when nobody reads its output any more: by SIGTERM, for an orderly end, and by force after 36 s.
 * Otherwise a failed write is an uncaught exception whose report is another failed write, in an endless loop that lets no
 * timer or request run.
 */
function endWithoutReader() {
  let isEnding = false
  /** @param {NodeJS.ErrnoException} error */
  const end = ({ code }) => {
    // Any other error, such as a full disk, only loses the line.
    if (isEnding || (code !== 'EPIPE' && code !== 'EIO')) return
    isEnding = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', end)
}

if (isMainThread) endWithoutReader()
