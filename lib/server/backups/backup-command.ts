import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { HeadsError } from '../activity-log/signed-head'
import { CommandLineError } from '../runtime/command-line'
import { describeError } from '../runtime/log'
import { SettingsError } from '../runtime/settings'
import { BackupError } from './manifest'

/**
 * Why a command failed, for people. What node-postgres says is left out: it may hold the address of the database with its
 * password. The line of pg_dump or pg_restore is shown; it may name host, port and user, which libpq says without a password.
 */
export function explainBackupError(error: unknown, failure: string): string {
  if (error instanceof BackupError && error.cause !== undefined)
    return `${explainBackupError(error.cause, failure)}\n${error.message}`
  if (error instanceof BackupError || error instanceof DatabaseError || error instanceof HeadsError)
    return error.message
  if (error instanceof CommandLineError) return error.message
  if (error instanceof FolderLockedError) return `The dashboard is running (process ${error.pid}). Stop it first.`
  if (error instanceof SettingsError) return error.lines
  const { code, name } = describeError(error)
  const path = error instanceof Error && 'path' in error ? ` at ${String(error.path)}` : ''
  return `${failure} (${code ?? name}${path}).`
}

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
