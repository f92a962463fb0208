import { BackupError } from './manifest'

/**
 * A signal that is aborted, with BackupError of this message, by what would otherwise end the process at once, such as
 * Ctrl-C: what was begun is undone first.
 */
export function catchInterruptions(message: string): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort(new BackupError(message))
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  return controller.signal
}
