import { setImmediate as letOthersIn } from 'node:timers/promises'
import {
  and,
  count,
  eq,
  getTableName,
  gte,
  inArray,
  isNull,
  lt,
  max,
  notExists,
  or,
  sql,
  type SQL,
  type Table,
} from 'drizzle-orm'
import { isOlderThan } from '@/lib/database/clock'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { describeError, log } from '../runtime/log'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task'
import { getSettings } from '../runtime/settings'
import { bulkRows, bulks } from './bulk-schema'
import { listExportParts, listExports } from './export-schema'
import { customerImportRows, customerImports } from './import-schema'
import { inboxes, inboxMessages } from './inbox-schema'
import { attempts, cancellations, connections } from './schema'
import { getStore } from './store'

/**
 * Makes the room of deleted rows of these tables usable again, and that of the write-ahead log. Postgres does both by
 * itself; PGlite has no process for it, and its folder would grow with each delivery and each export. On PGlite nothing
 * else is done meanwhile: some milliseconds for a few megabytes.
 */
export async function vacuumTables({ db, kind }: Pick<OpenDatabase, 'db' | 'kind'>, tables: Table[]): Promise<void> {
  if (kind !== 'pglite') return
  for (const table of tables) await db.execute(sql`vacuum ${sql.identifier(getTableName(table))}`)
  await db.execute(sql`checkpoint`)
}

/** How long what has ended is kept, in days. */
type Keep = { bulks: number; imports: number; exports: number }

/** Any constant does: it only has to be the same in every process that sweeps. */
const sweepLock = 4_217_003

/** Bulks, exports or imports that one transaction takes away. */
const mostLists = 200
/** Rows that one transaction deletes: on PGlite the process does nothing else meanwhile, so others are let in after each. */
const rowsAtOnce = 500
/** Parts of an export hold a page of the service each. */
const partsAtOnce = 50
/** Lines of imports that one transaction deletes: an import goes as a whole (see `deleteImports`). */
const linesAtOnce = 5_000

/** Days that a list is kept which nobody started. It can be started for half an hour. */
const keepDrafts = 1
/** A download that began while the export was still kept may come to its end. */
const hour = 1 / 24

/** Another process sweeps. */
class TurnTaken extends Error {}

/** Begins a transaction of a sweep; of several processes on one store one alone gets through. */
async function takeTurn(tx: Database): Promise<void> {
  const [turn] = await tx
    .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(${sweepLock})` })
    .from(sql`(select 1) as one`)
  if (!turn?.isMine) throw new TurnTaken()
}

function isExpiredBulk(db: Database, keep: Keep): SQL | undefined {
  const open = db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(eq(cancellations.bulkId, bulks.id), isNull(cancellations.closedAt)))
  const isDraft = and(isNull(bulks.startedAt), inArray(bulks.state, ['preparing', 'ready', 'failed']))
  const hasEnded = and(inArray(bulks.state, ['finished', 'stopped']), notExists(open))
  return or(
    and(isDraft, isOlderThan(bulks.changedAt, keepDrafts)),
    and(hasEnded, isOlderThan(bulks.changedAt, keep.bulks)),
  )
}

/** One that was stopped or is held has ended too when nobody has gone on with it for so long. */
function isExpiredImport(keep: Keep): SQL | undefined {
  const isLeft = or(isNull(customerImports.leaseUntil), isOlderThan(customerImports.leaseUntil, keep.imports))
  return and(isOlderThan(customerImports.changedAt, keep.imports), isLeft)
}

function isExpiredExport(keep: Keep): SQL | undefined {
  const isOver = sql`(${listExports.state} <> 'running' or ${isOlderThan(listExports.changedAt, 1)})`
  return and(isOlderThan(listExports.createdAt, keep.exports + hour), isOver)
}

/**
 * Deletes the rows of bulks, some at a time. They can't come back into use meanwhile: a draft of this age can't be
 * started, and what has ended stays so.
 */
async function deleteBulkRows(db: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const mine = eq(bulkRows.bulkId, id)
    const [last] = await db
      .select({ position: max(bulkRows.position) })
      .from(bulkRows)
      .where(mine)
    for (let from = 0; from <= (last?.position ?? -1); from += rowsAtOnce) {
      const range = and(mine, gte(bulkRows.position, from), lt(bulkRows.position, from + rowsAtOnce))
      await db.transaction(async (tx) => {
        await takeTurn(tx)
        await tx.delete(bulkRows).where(range)
      })
      await letOthersIn()
    }
  }
}

/** The same for the parts of exports, which nobody finds any more (see exports/export-row). */
async function deleteExportParts(db: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const mine = eq(listExportParts.exportId, id)
    const [last] = await db
      .select({ part: max(listExportParts.part) })
      .from(listExportParts)
      .where(mine)
    for (let from = 0; from <= (last?.part ?? -1); from += partsAtOnce) {
      const range = and(mine, gte(listExportParts.part, from), lt(listExportParts.part, from + partsAtOnce))
      await db.transaction(async (tx) => {
        await takeTurn(tx)
        await tx.delete(listExportParts).where(range)
      })
      await letOthersIn()
    }
  }
}

/**
 * Deletes imports with their lines as a whole: the same file could be uploaded at any moment, and an import that had
 * lost some of its lines would create their customers a second time.
 */
async function deleteImports(tx: Database, ids: readonly string[], keep: Keep): Promise<number> {
  const locked = await tx
    .select({ id: customerImports.id })
    .from(customerImports)
    .where(and(inArray(customerImports.id, [...ids]), isExpiredImport(keep)))
    .for('update')
  const found = locked.map(({ id }) => id)
  await tx.delete(customerImportRows).where(inArray(customerImportRows.importId, found))
  await tx.delete(customerImports).where(inArray(customerImports.id, found))
  return found.length
}

/** The oldest expired imports whose lines together are few enough for one transaction; at least one. */
async function pickImports(db: Database, connectionId: string, keep: Keep): Promise<string[]> {
  const found = await db
    .select({ id: customerImports.id, lines: count(customerImportRows.line) })
    .from(customerImports)
    .leftJoin(customerImportRows, eq(customerImportRows.importId, customerImports.id))
    .where(and(eq(customerImports.connectionId, connectionId), isExpiredImport(keep)))
    .groupBy(customerImports.id)
    .limit(mostLists)
  let lines = 0
  return found
    .filter((one, index) => {
      lines += one.lines
      return index === 0 || lines <= linesAtOnce
    })
    .map(({ id }) => id)
}

const listIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Takes away some of a merchant's expired lists, and says so in the activity log in the same moment. Answers how many. */
async function sweepSome(db: Database, connectionId: string, keep: Keep): Promise<number> {
  const ofBulks = and(eq(bulks.connectionId, connectionId), isExpiredBulk(db, keep))
  const ofExports = and(eq(listExports.connectionId, connectionId), isExpiredExport(keep))
  const bulkIds = listIds(await db.select({ id: bulks.id }).from(bulks).where(ofBulks).limit(mostLists))
  const exportIds = listIds(await db.select({ id: listExports.id }).from(listExports).where(ofExports).limit(mostLists))
  const importIds = await pickImports(db, connectionId, keep)
  if (bulkIds.length + exportIds.length + importIds.length === 0) return 0
  await deleteBulkRows(db, bulkIds)
  await deleteExportParts(db, exportIds)
  return db.transaction(async (tx) => {
    await takeTurn(tx)
    const gone = await tx
      .delete(bulks)
      .where(and(inArray(bulks.id, bulkIds), isExpiredBulk(tx, keep)))
      .returning({ startedAt: bulks.startedAt })
    const drafts = gone.filter(({ startedAt }) => startedAt === null).length
    const exported = await tx
      .delete(listExports)
      .where(and(inArray(listExports.id, exportIds), isExpiredExport(keep)))
      .returning({ id: listExports.id })
    const imports = await deleteImports(tx, importIds, keep)
    const counts = { bulks: gone.length - drafts, drafts, imports, exports: exported.length }
    const total = gone.length + imports + exported.length
    if (total === 0) return 0
    const details = { deleted: Object.fromEntries(Object.entries(counts).filter(([, counted]) => counted > 0)) }
    const about = { objectKind: 'retention', objectId: 'none', details }
    await appendActivity(tx, { connectionId, actor: 'desk', action: 'retention.swept', ...about })
    return total
  })
}

/**
 * Deletes what has ended and was kept for as long as `keep` says: bulks with their rows, lists that were never
 * started, imports with their lines, exports. The ledger and the activity log stay. Where another process sweeps, it
 * is left to that one. Throws what the store throws; the next sweep goes on from there.
 */
export async function sweepExpired(db: Database, keep: Keep): Promise<void> {
  try {
    for (const { connectionId } of await db.select().from(connections)) {
      while ((await sweepSome(db, connectionId, keep)) > 0) await letOthersIn()
    }
  } catch (error) {
    if (!(error instanceof TurnTaken)) throw error
  }
}

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
    await vacuumTables(store, sweptTables)
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
