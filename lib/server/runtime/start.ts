import { join } from 'node:path'
import { closeDataFolder, keepFilesPrivate } from '@/lib/database/data-folder'
import type { Database } from '@/lib/database/database'
import { DatabaseError } from '@/lib/database/errors'
import { startHeads } from '../activity-log/head-signer'
import { recordSettings } from '../activity-log/record-settings'
import { startCopies } from '../backups/copy-socket'
import { startMerchantWorkers } from './merchant-workers'
import { getConnection } from '../upstream/connection'
import { describeError, log } from './log'
import { getRegisteredServer } from '../http/registered-server'
import { freeImportLeases } from '../imports/import-record'
import { findUnsafeDatabaseSettings, prepareStore } from './initial-data'
import { startRetention } from '../store/retention'
import { startExportSchedules } from '../exports/schedules'
import { startMail } from '../mail/worker'
import { getDeskOrigin } from '../auth/session-cookie'
import { getSettings, SettingsError } from './settings'
import { explainStoreError } from '../store/explain-store-error'
import { defaultConnectionId } from '../store/schema'
import { stopOnSignals } from './stop'
import { getStore } from '../store/store'
import { keepPresence } from '../store/leases'

/** An aborted start; `message` is one line for people. */
class StartFailure extends Error {}

/** One line per problem, naming the setting; no stack, no value. */
function explainStart(error: unknown): string {
  if (error instanceof SettingsError) return error.lines
  if (error instanceof StartFailure) return error.message
  const { code, name, frames } = describeError(error)
  return `The desk cannot start (${code ?? name}${frames[0] ? ` ${frames[0]}` : ''}).`
}

/** Operators of a Postgres expect it to survive a power cut. */
async function warnOfUnsafeSettings(db: Database): Promise<void> {
  const off = await findUnsafeDatabaseSettings(db)
  if (off.length > 0) log.warn({ event: 'store-not-durable', off }, 'a power cut may lose what was acknowledged')
}

/** Signed heads and their key are there, beside a store on Postgres, too. */
function prepareDataFolder(folder: string): void {
  try {
    closeDataFolder(folder)
  } catch (error) {
    const { code, name } = describeError(error)
    throw new StartFailure(
      error instanceof DatabaseError ? error.message : `DATA_DIR ${folder} cannot be written to (${code ?? name}).`,
    )
  }
}

const isStopping = () => globalThis.debitdeskStopping === true

/**
 * Does everything that must precede the first request: settings, the connection, the store, the accounts, and the
 * cancellations an earlier process left behind. Throws SettingsError or StartFailure.
 */
async function startDesk(): Promise<void> {
  keepFilesPrivate()
  if (!getRegisteredServer())
    throw new StartFailure(
      'The desk is served by a server of its own: start it with npm start, or npm run dev while you work on it.',
    )
  const settings = getSettings()
  if (!settings.NEXTAUTH_SECRET) throw new SettingsError(['NEXTAUTH_SECRET is needed: at least 32 random characters'])
  // next-auth reads this variable and would otherwise trust the request's host (SE-20).
  process.env.NEXTAUTH_URL = getDeskOrigin()
  const { name } = getConnection(defaultConnectionId)
  stopOnSignals()
  prepareDataFolder(settings.DATA_DIR)
  const store = await getStore().catch((error: unknown) => {
    throw new StartFailure(explainStoreError(error, settings))
  })
  // By a signal meanwhile: nothing is begun that nobody would end.
  if (isStopping()) return
  const { db, kind } = store
  await prepareStore(db, { settings, connectionName: name, now: new Date() })
  if (kind === 'pglite') await freeImportLeases(db)
  else await warnOfUnsafeSettings(db)
  await recordSettings(db, defaultConnectionId, settings)
  await keepPresence(store)
  await startHeads()
  if (store.copyFiles) await startCopies(join(settings.DATA_DIR, 'desk'), store.copyFiles)
  if (isStopping()) return
  await startMerchantWorkers()
  if (isStopping()) return
  startRetention()
  startExportSchedules()
  startMail()
}

/** Starts the desk; when that fails, prints the reason on standard error and exits with code 1. */
export async function startOrExit(): Promise<void> {
  try {
    await startDesk()
  } catch (error) {
    // The store may have been closed meanwhile; the stop ends the process.
    if (isStopping()) return
    process.stderr.write(`${explainStart(error)}\n`)
    process.exit(1)
  }
}
