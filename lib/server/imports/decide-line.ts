import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { LineDecision } from '@/lib/contract/customer-import'
import type { Database } from '@/lib/database/open-database'
import { appendActivity } from '../activity/append-activity'
import { Failure } from '../failure'
import type { Session } from '../session'
import { customerImportRows, customerImports } from '../store/import-schema'
import { isLine, type Line } from './send-line'
import { describeImport } from './start-import'
import { findImport } from './view-import'
import * as refusals from '@/lib/words/refusals'

/** The candidate that a person chose. Throws Failure 'bad-request', or 'conflict' where another line has it. */
async function pickCandidate(tx: Database, line: Line, customerId: string | undefined) {
  const candidate = line.candidates?.find(({ id }) => id === customerId)
  if (!candidate) throw new Failure('bad-request', { detail: refusals.noSuchCandidate })
  const { id, handle } = candidate
  const isOther = and(
    eq(customerImportRows.connectionId, line.connectionId),
    eq(customerImportRows.customerId, id),
    ne(customerImportRows.state, 'left-out'),
  )
  if ((await tx.$count(customerImportRows, isOther)) > 0)
    throw new Failure('conflict', { detail: refusals.anotherLineHasThisCustomer })
  return { customerId: id, handle }
}

/**
 * Does with a line that waits for a person what the person says: sends it again under the same key once the import goes
 * on, takes a listed customer for its own, or leaves it out. Written to the activity log.
 * Throws Failure 'not-found', 'bad-request' or 'conflict'.
 */
export async function decideLine(
  db: Database,
  { scope, email }: Session,
  importId: string,
  { line: number, decision, customerId }: LineDecision,
): Promise<void> {
  const { id } = await findImport(db, scope, importId)
  await db.transaction(async (tx) => {
    // Waits for an import that is just ending, and keeps one from ending meanwhile.
    const [row] = await tx.select().from(customerImports).where(eq(customerImports.id, id)).for('update')
    const isHeld = and(
      eq(customerImportRows.importId, id),
      eq(customerImportRows.line, number),
      eq(customerImportRows.state, 'unknown'),
      isNotNull(customerImportRows.heldAt),
    )
    const [line] = await tx.select().from(customerImportRows).where(isHeld).for('update')
    if (!row || !line) throw new Failure('conflict', { detail: refusals.lineWaitsForNobody })
    const settled = { heldAt: null, heldFor: null, settledBy: email }
    const change: Partial<Line> =
      decision === 'send-again'
        ? { state: 'waiting' }
        : decision === 'leave-out'
          ? { state: 'left-out', message: null }
          : { state: 'created', message: null, ...(await pickCandidate(tx, line, customerId)) }
    await tx
      .update(customerImportRows)
      .set({ ...settled, ...change })
      .where(isLine(line))
    // One that was stopped or held stays so until somebody lets it go on.
    const state = decision === 'send-again' && row.state === 'done' ? 'running' : row.state
    await tx.update(customerImports).set({ state, changedAt: sql`now()` }).where(eq(customerImports.id, id))
    const details = { line: number, ...(change.customerId && { customerId: change.customerId }) }
    await appendActivity(tx, describeImport(`line-${decision}`, row, email, details))
  })
}
