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
  notExists,
  or,
  sql,
  type SQL,
  type Table,
} from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { isOlderThan } from '@/lib/database/clock'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { deleteEndedProviderTokens } from '../auth/provider-tokens'
import { deleteOldMails } from '../mail/outbox'
import { describeError, log } from '../runtime/log'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task'
import { getSettings } from '../runtime/settings'
import { apiTokens, ENDED_TOKEN_DAYS } from './api-token-schema'
import { passwordLinks } from './auth-schema'
import { bulkRows, bulks } from './bulk-schema'
import { listExportParts, listExports } from './export-schema'
import { customerImportRows, customerImports } from './import-schema'
import { attempts, cancellations, connections, sessions } from './schema'
import { getStore } from './store'

async function listTables(db: Database): Promise<string[]> {
  const rows = await db.select({ name: sql<string>`tablename` }).from(sql`pg_tables`).where(sql`schemaname = 'public'`)
  return rows.map(({ name }) => name)
}

/**
 * Reclaims the space of deleted and changed rows, of these tables or of all, and of the write-ahead log. Postgres does this
 * by itself; on PGlite the folder would otherwise grow with each delivery and export. Blocks PGlite for some milliseconds
 * per few megabytes that were written since.
 */
export async function vacuumTables({ db, kind }: Pick<OpenDatabase, 'db' | 'kind'>, tables?: Table[]): Promise<void> {
  if (kind !== 'pglite') return
  const names = tables?.map(getTableName) ?? (await listTables(db))
  for (const name of names) await db.execute(sql`vacuum ${sql.identifier(name)}`)
  await db.execute(sql`checkpoint`)
}

/** Retention times in days. */
type RetentionDays = { bulks: number; imports: number; exports: number }

/** An arbitrary constant, the same in every process. */
const SWEEP_LOCK_ID = 4_217_003

/** Bulks, exports or imports deleted in one transaction. */
const MAX_LISTS = 200
/** Rows deleted in one transaction: it blocks PGlite, so other work runs after each. */
const MAX_ROWS = 500
/** Each part of an export holds a page of the list. */
const MAX_PARTS = 50
/** Lines of imports deleted in one transaction: an import is deleted as a whole (see `deleteImports`). */
const MAX_LINES = 5_000

/** An unconfirmed list is kept for a day, but can only be started for half an hour. */
const DRAFT_DAYS = 1
/** Lets a download finish that began before the export expired. */
const HOUR_DAYS = 1 / 24

/** Another process is sweeping. */
class SweepTaken extends Error {}

/** Takes the sweep's lock in a transaction; only one of several processes on a store gets it. */
async function lockSweep(tx: Database): Promise<void> {
  const [lock] = await tx
    .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(${SWEEP_LOCK_ID})` })
    .from(sql`(select 1) as one`)
  if (!lock?.isMine) throw new SweepTaken()
}

function isExpiredBulk(db: Database, keep: RetentionDays): SQL | undefined {
  const open = db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(eq(cancellations.bulkId, bulks.id), isNull(cancellations.closedAt)))
  const isDraft = and(isNull(bulks.startedAt), inArray(bulks.state, ['preparing', 'ready', 'failed']))
  const hasEnded = and(inArray(bulks.state, ['finished', 'stopped', 'declined']), notExists(open))
  return or(
    and(isDraft, isOlderThan(bulks.changedAt, DRAFT_DAYS)),
    and(hasEnded, isOlderThan(bulks.changedAt, keep.bulks)),
  )
}

/** A stopped or held import expires too when nobody has resumed it. */
function isExpiredImport(keep: RetentionDays): SQL | undefined {
  const isAbandoned = or(isNull(customerImports.leaseUntil), isOlderThan(customerImports.leaseUntil, keep.imports))
  return and(isOlderThan(customerImports.changedAt, keep.imports), isAbandoned)
}

function isExpiredExport(keep: RetentionDays): SQL | undefined {
  const isOver = sql`(${listExports.state} <> 'running' or ${isOlderThan(listExports.changedAt, 1)})`
  return and(isOlderThan(listExports.createdAt, keep.exports + HOUR_DAYS), isOver)
}

/** Deletes the rows of `owners` in ranges of `position`, which counts from 0, each in a transaction of its own. */
async function deleteInRanges(
  db: Database,
  { table, owner, position }: { table: PgTable; owner: PgColumn; position: PgColumn },
  owners: readonly string[],
  size: number,
): Promise<void> {
  for (const id of owners) {
    const mine = eq(owner, id)
    const [found] = await db
      .select({ last: sql<number | null>`max(${position})` })
      .from(table)
      .where(mine)
    for (let from = 0; from <= (found?.last ?? -1); from += size) {
      await db.transaction(async (tx) => {
        await lockSweep(tx)
        await tx.delete(table).where(and(mine, gte(position, from), lt(position, from + size)))
      })
      await letOthersIn()
    }
  }
}

/**
 * Deletes imports together with their lines: the file may be uploaded again at any time, and an import missing some lines
 * would create their customers twice.
 */
async function deleteImports(tx: Database, ids: readonly string[], keep: RetentionDays): Promise<number> {
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

/** The oldest expired imports with few enough lines for one transaction; at least one. */
async function pickImports(db: Database, connectionId: string, keep: RetentionDays): Promise<string[]> {
  const found = await db
    .select({ id: customerImports.id, lines: count(customerImportRows.line) })
    .from(customerImports)
    .leftJoin(customerImportRows, eq(customerImportRows.importId, customerImports.id))
    .where(and(eq(customerImports.connectionId, connectionId), isExpiredImport(keep)))
    .groupBy(customerImports.id)
    .limit(MAX_LISTS)
  let lines = 0
  return found
    .filter((one, index) => {
      lines += one.lines
      return index === 0 || lines <= MAX_LINES
    })
    .map(({ id }) => id)
}

const listIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Deletes some of a merchant's expired lists and logs it in the same transaction; returns how many. */
async function sweepBatch(db: Database, connectionId: string, keep: RetentionDays): Promise<number> {
  const ofBulks = and(eq(bulks.connectionId, connectionId), isExpiredBulk(db, keep))
  const ofExports = and(eq(listExports.connectionId, connectionId), isExpiredExport(keep))
  const bulkIds = listIds(await db.select({ id: bulks.id }).from(bulks).where(ofBulks).limit(MAX_LISTS))
  const exportIds = listIds(await db.select({ id: listExports.id }).from(listExports).where(ofExports).limit(MAX_LISTS))
  const importIds = await pickImports(db, connectionId, keep)
  if (bulkIds.length + exportIds.length + importIds.length === 0) return 0
  // They cannot come back into use meanwhile: a draft of this age cannot be started, an ended bulk stays so, and nobody
  // can access an expired export any more (see exports/queries).
  await deleteInRanges(db, { table: bulkRows, owner: bulkRows.bulkId, position: bulkRows.position }, bulkIds, MAX_ROWS)
  const parts = { table: listExportParts, owner: listExportParts.exportId, position: listExportParts.part }
  await deleteInRanges(db, parts, exportIds, MAX_PARTS)
  return db.transaction(async (tx) => {
    await lockSweep(tx)
    const deleted = await tx
      .delete(bulks)
      .where(and(inArray(bulks.id, bulkIds), isExpiredBulk(tx, keep)))
      .returning({ startedAt: bulks.startedAt })
    const drafts = deleted.filter(({ startedAt }) => startedAt === null).length
    const exported = await tx
      .delete(listExports)
      .where(and(inArray(listExports.id, exportIds), isExpiredExport(keep)))
      .returning({ id: listExports.id })
    const imports = await deleteImports(tx, importIds, keep)
    const counts = { bulks: deleted.length - drafts, drafts, imports, exports: exported.length }
    const total = deleted.length + imports + exported.length
    if (total === 0) return 0
    const details = { deleted: Object.fromEntries(Object.entries(counts).filter(([, counted]) => counted > 0)) }
    const about = { objectKind: 'retention', objectId: 'none', details }
    await appendActivity(tx, { connectionId, actor: 'desk', action: 'retention.swept', ...about })
    return total
  })
}

/**
 * Deletes tokens that have ended long ago, but for those that started a bulk which is still open: whether it may go on
 * depends on whether its token was revoked. The activity log keeps who made and revoked them.
 */
async function deleteEndedTokens(db: Database): Promise<void> {
  const hasEnded = or(
    isOlderThan(apiTokens.expiresAt, ENDED_TOKEN_DAYS),
    isOlderThan(apiTokens.revokedAt, ENDED_TOKEN_DAYS),
  )
  const openBulks = db
    .select({ id: bulks.id })
    .from(bulks)
    .where(
      and(
        inArray(bulks.state, ['awaiting', 'starting', 'running', 'paused']),
        sql`${bulks.confirmed} -> 'apiToken' ->> 'id' = ${apiTokens.id}::text`,
      ),
    )
  await db.delete(apiTokens).where(and(hasEnded, notExists(openBulks)))
}

/** No limit counts attempts, or uses, of more than a day ago; the desks' clocks may differ from the store's. */
const ATTEMPT_DAYS = 2

/** For 30 days after its use an account is shown a link that another made, by the desks' clocks. */
const LINK_DAYS = 31

/** Sign-ins, all of which have ended by then, are kept for 30 days. */
const SESSION_DAYS = 30

/**
 * Deletes what has outlived its retention time: bulks with their rows, unstarted lists, imports with their lines,
 * exports, ended API tokens, sign-ins, the OpenID provider's tokens of those that have ended, links for a password,
 * counted attempts and uses, and mails. The ledger and the activity log stay. Does nothing while another process sweeps.
 * Throws store errors; the next sweep continues.
 */
export async function sweepExpired(db: Database, keep: RetentionDays): Promise<void> {
  try {
    for (const { connectionId } of await db.select().from(connections)) {
      while ((await sweepBatch(db, connectionId, keep)) > 0) await letOthersIn()
    }
    await deleteEndedTokens(db)
    await db.delete(sessions).where(isOlderThan(sessions.createdAt, SESSION_DAYS))
    await db.delete(passwordLinks).where(isOlderThan(passwordLinks.expiresAt, LINK_DAYS))
    await db.delete(attempts).where(isOlderThan(attempts.at, ATTEMPT_DAYS))
    await deleteEndedProviderTokens(db, new Date())
    await deleteOldMails(db)
  } catch (error) {
    if (!(error instanceof SweepTaken)) throw error
  }
}

declare global {
  /** One per process, across Next's module graphs. */
  var debitdeskRetention: PeriodicTask | undefined
}

/** Exports are kept for days, so an hour is precise enough. */
const SWEEP_INTERVAL_MS = 60 * 60_000

async function sweep(): Promise<void> {
  try {
    const store = await getStore()
    const { KEEP_BULKS, KEEP_IMPORTS, KEEP_EXPORTS } = getSettings()
    await sweepExpired(store.db, { bulks: KEEP_BULKS, imports: KEEP_IMPORTS, exports: KEEP_EXPORTS })
    await vacuumTables(store)
  } catch (error) {
    log.warn({ event: 'retention-not-swept', error: describeError(error) })
  }
}

/** Deletes expired data and reclaims its space, now and every hour, in the background. */
export function startRetention(): void {
  globalThis.debitdeskRetention ??= startPeriodicTask(sweep, SWEEP_INTERVAL_MS)
}

/** Stops sweeping, after the current run. */
export async function stopRetention(): Promise<void> {
  await globalThis.debitdeskRetention?.stop()
}
