import { randomUUID } from 'node:crypto'
import { and, desc, eq, exists, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { checkCustomerLine, explainRepeat, parseCustomerLines } from '@/lib/domain/customers/customer-csv'
import { type CustomerImportRequest, importLimits, type LineDecision } from '@/lib/domain/customers/customer-import'
import { dayInZone } from '@/lib/domain/dates/date'
import { type ActivityEntry, appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { customerImportRows, customerImports } from '../store/import-schema'
import { activity } from '../store/schema'
import { toStorable } from '../store/to-storable'
import { findImport, type ImportRow } from './import-record'
import { hashFile, isLine, type Line } from './send-line'
import * as m from '@/lib/messages/m'

const BATCH_SIZE = 500

/** The activity-log entry of an import: the file's name and hash, never its lines. */
export function describeImport(
  action: string,
  { id, connectionId, fileName, fileHash }: ImportRow,
  actor: string,
  more: ActivityEntry['details'] = {},
): ActivityEntry {
  const details = { fileName, fileHash, ...more }
  return { connectionId, actor, action: `import.${action}`, objectKind: 'import', objectId: id, details }
}

/** Lines that are left out may hold what the store cannot. */
function toStorableBody(body: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(body).map(([field, text]) => [field, toStorable(text)]))
}

function parseRows(request: CustomerImportRequest) {
  const lines = parseCustomerLines(request.text, request.mapping)
  if (lines.length === 0) throw new AppError('bad-request', { detail: m.refusals_theFileHasNoLineBelowItsFirst() })
  if (lines.length > importLimits.lines)
    throw new AppError('bad-request', { detail: m.refusals_mostLinesOfAnImport({ lines: importLimits.lines }) })
  const existing = new Set(request.existingLines)
  return lines.map((read) => {
    const { line, body } = read
    const repeat = request.takesRepeats ? null : explainRepeat(read)
    const exists = existing.has(line) ? m.customerLines_numberExists() : null
    const message = (checkCustomerLine(read) ?? repeat ?? exists)?.slice(0, 500) ?? null
    return message === null
      ? { line, body, state: 'waiting' as const, message }
      : { line, body: toStorableBody(body), state: 'left-out' as const, message }
  })
}

/** Rejects a file whose import has expired: its lines are deleted, but most of its customers exist. */
async function rejectExpired(tx: Database, connectionId: string, fileHash: string): Promise<void> {
  // Locked, so that it cannot be deleted before it continues.
  const existing = await tx
    .select({ id: customerImports.id })
    .from(customerImports)
    .where(and(eq(customerImports.connectionId, connectionId), eq(customerImports.fileHash, fileHash)))
    .for('update')
  if (existing.length > 0) return
  const [earlier] = await tx
    .select({ actor: activity.actor, at: activity.at })
    .from(activity)
    .where(
      and(
        eq(activity.connectionId, connectionId),
        eq(activity.objectKind, 'import'),
        eq(activity.action, 'import.start'),
        sql`${activity.details} ->> 'fileHash' = ${fileHash}`,
      ),
    )
    .orderBy(desc(activity.sequence))
    .limit(1)
  if (!earlier) return
  const day = dayInZone(earlier.at.getTime(), getSettings().SCHEME_ZONE)
  throw new AppError('conflict', { detail: m.refusals_thisFileWasImportedBefore({ who: earlier.actor, day }) })
}

/**
 * Starts an import, or continues the one of the same file. Created lines, those that may have arrived and those of erased
 * people stay as they are; all others follow the current mapping. Returns the running import. Throws AppError
 * 'bad-request' or 'conflict' (its import has expired).
 */
export async function startImport(
  db: Database,
  { scope, email }: Session,
  request: CustomerImportRequest,
): Promise<ImportRow> {
  const { connectionId } = scope
  const fileHash = hashFile(request.text)
  const rows = parseRows(request)
  return db.transaction(async (tx) => {
    await rejectExpired(tx, connectionId, fileHash)
    const [row] = await tx
      .insert(customerImports)
      .values({
        id: randomUUID(),
        connectionId,
        fileHash,
        fileName: request.fileName,
        startedBy: email,
        state: 'running',
      })
      .onConflictDoUpdate({
        target: [customerImports.connectionId, customerImports.fileHash],
        set: { state: 'running', problem: null, waitUntil: null, changedAt: new Date() },
      })
      .returning()
    if (!row) throw new Error('the import was not stored')
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      const values = rows.slice(at, at + BATCH_SIZE).map((one) => ({ ...one, importId: row.id, connectionId }))
      await tx
        .insert(customerImportRows)
        .values(values)
        .onConflictDoUpdate({
          target: [customerImportRows.importId, customerImportRows.line],
          set: { body: sql`excluded.body`, state: sql`excluded.state`, message: sql`excluded.message` },
          // Lines that may have arrived, or that a user has settled, stay as they are; so do those of erased people, which
          // alone are empty without a message.
          setWhere: sql`${customerImportRows.state} in ('waiting', 'refused', 'left-out')
            and ${customerImportRows.sentAt} is null and ${customerImportRows.settledBy} is null
            and not (${customerImportRows.body} = '{}'::jsonb and ${customerImportRows.message} is null)`,
        })
    }
    await appendActivity(tx, describeImport('start', row, email, { lines: rows.length }))
    return row
  })
}

/** Stops an import after the current line. */
export async function stopImport(db: Database, { scope, email }: Session, importId: string): Promise<void> {
  const row = await findImport(db, scope, importId)
  await db.transaction(async (tx) => {
    const [stopped] = await tx
      .update(customerImports)
      .set({ state: 'stopped', waitUntil: null, changedAt: new Date() })
      .where(and(eq(customerImports.id, row.id), eq(customerImports.state, 'running')))
      .returning()
    if (stopped) await appendActivity(tx, describeImport('stop', stopped, email))
  })
}

/** Continues a stopped, held or interrupted import. */
export async function resumeImport(db: Database, { scope, email }: Session, importId: string): Promise<ImportRow> {
  const row = await findImport(db, scope, importId)
  const isWaiting = db
    .select({ line: customerImportRows.line })
    .from(customerImportRows)
    .where(and(eq(customerImportRows.importId, row.id), eq(customerImportRows.state, 'waiting')))
  return db.transaction(async (tx) => {
    const [running] = await tx
      .update(customerImports)
      .set({ state: 'running', problem: null, changedAt: new Date() })
      .where(and(eq(customerImports.id, row.id), or(ne(customerImports.state, 'done'), exists(isWaiting))))
      .returning()
    if (running) await appendActivity(tx, describeImport('resume', running, email))
    return running ?? row
  })
}

/** The candidate that the user chose. Throws AppError 'bad-request', or 'conflict' if it belongs to another line. */
async function pickCandidate(tx: Database, line: Line, customerId: string | undefined) {
  const candidate = line.candidates?.find(({ id }) => id === customerId)
  if (!candidate) throw new AppError('bad-request', { detail: m.refusals_noSuchCandidate() })
  const { id, handle } = candidate
  const isTaken = and(
    eq(customerImportRows.connectionId, line.connectionId),
    eq(customerImportRows.customerId, id),
    ne(customerImportRows.state, 'left-out'),
  )
  if ((await tx.$count(customerImportRows, isTaken)) > 0)
    throw new AppError('conflict', { detail: m.refusals_anotherLineHasThisCustomer() })
  return { customerId: id, handle }
}

/**
 * Applies a user's decision about a held line: send it again under the same key, match it with a listed customer, or
 * leave it out. Throws AppError 'not-found', 'bad-request' or 'conflict'.
 */
export async function decideLine(
  db: Database,
  { scope, email }: Session,
  importId: string,
  { line: number, decision, customerId }: LineDecision,
): Promise<void> {
  const { id } = await findImport(db, scope, importId)
  await db.transaction(async (tx) => {
    // Waits for an import that is just ending, and prevents it from ending meanwhile.
    const [row] = await tx.select().from(customerImports).where(eq(customerImports.id, id)).for('update')
    const isHeld = and(
      eq(customerImportRows.importId, id),
      eq(customerImportRows.line, number),
      eq(customerImportRows.state, 'unknown'),
      isNotNull(customerImportRows.heldAt),
    )
    const [line] = await tx.select().from(customerImportRows).where(isHeld).for('update')
    if (!row || !line) throw new AppError('conflict', { detail: m.refusals_lineWaitsForNobody() })
    const resolution = { heldAt: null, heldFor: null, settledBy: email }
    const change: Partial<Line> =
      decision === 'send-again'
        ? { state: 'waiting' }
        : decision === 'leave-out'
          ? { state: 'left-out', message: null }
          : { state: 'created', message: null, ...(await pickCandidate(tx, line, customerId)) }
    await tx
      .update(customerImportRows)
      .set({ ...resolution, ...change })
      .where(isLine(line))
    // A stopped or held import must be resumed explicitly.
    const state = decision === 'send-again' && row.state === 'done' ? 'running' : row.state
    await tx.update(customerImports).set({ state, changedAt: sql`now()` }).where(eq(customerImports.id, id))
    const details = { line: number, ...(change.customerId && { customerId: change.customerId }) }
    await appendActivity(tx, describeImport(`line-${decision}`, row, email, details))
  })
}
