import { isMainThread } from 'node:worker_threads'
import './end-without-reader.mjs'

// Loaded into each child by --import. The parent holds the other end of stdin: when the parent ends, in whatever way, the
// pipe closes, and this process ends. The child's own children inherit the option but not the pipe.
if (isMainThread && process.ppid === Number(process.env.DEBITDESK_PARENT)) {
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).on('error', () => undefined)
  process.stdin.resume()
  process.stdin.unref?.()
}
