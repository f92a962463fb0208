import { describeError } from '../describe-error'
import { log } from '../log'
import { type PeriodicTask, startPeriodicTask } from '../periodic-task'
import { getSettings } from '../settings'
import { bulkRows, bulks } from '../store/bulk-schema'
import { listExportParts, listExports } from '../store/export-schema'
import { customerImportRows, customerImports } from '../store/import-schema'
import { inboxes, inboxMessages } from '../store/inbox-schema'
import { getStore } from '../store/open-store'
import { attempts } from '../store/schema'
import { reclaimSpace } from './reclaim-space'
import { sweepExpired } from './sweep-expired'

declare global {
  /** One per process, in whichever of Next's module graphs it was started. */
  var debitdeskRetention: PeriodicTask | undefined
}

/** In milliseconds. Exports are kept for days, and no longer than promised. */
const sweepEvery = 60 * 60_000

/** Whose rows go or change often. */
const sweptTables = [
  attempts,
  bulkRows,
  bulks,
  customerImportRows,
  customerImports,
  inboxes,
  inboxMessages,
  listExportParts,
  listExports,
]

async function sweep(): Promise<void> {
  try {
    const store = await getStore()
    const { KEEP_BULKS, KEEP_IMPORTS, KEEP_EXPORTS } = getSettings()
    await sweepExpired(store.db, { bulks: KEEP_BULKS, imports: KEEP_IMPORTS, exports: KEEP_EXPORTS })
    await reclaimSpace(store, sweptTables)
  } catch (error) {
    log.warn({ event: 'retention-not-swept', error: describeError(error) })
  }
}

/** Deletes what was kept long enough and reclaims its room, now and every hour. Does not wait for it. */
export function startRetention(): void {
  globalThis.debitdeskRetention ??= startPeriodicTask(sweep, sweepEvery)
}

/** Sweeps no more; what was begun comes to its end. */
export async function stopRetention(): Promise<void> {
  await globalThis.debitdeskRetention?.stop()
}
