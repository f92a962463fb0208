import { isMainThread } from 'node:worker_threads'

/** As long as the desk takes to finish what it is at (lib/server/runtime/stop.ts), in milliseconds. */
const grace = 25_000

/**
 * Ends this process when nobody reads its output any more: asked by SIGTERM, so that it ends as it always does, and by
 * force after 25 s. Without this a failed write is an uncaught exception, and whoever reports that writes again: for ever,
 * and before any timer or request gets its turn.
 */
function endWithoutReader() {
  let isEnding = false
  const end = ({ code }) => {
    // Any other failure, such as a full disk, costs the line and nothing else.
    if (isEnding || (code !== 'EPIPE' && code !== 'EIO')) return
    isEnding = true
    setTimeout(() => process.exit(1), grace).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', end)
}

if (isMainThread) endWithoutReader()
