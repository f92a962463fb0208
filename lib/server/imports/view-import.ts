import { and, asc, count, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { CustomerImportView, DoubtfulLine } from '@/lib/contract/customer-import'
import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import type { Scope } from '../scope'
import { getSettings } from '../settings'
import { customerImportRows, customerImports } from '../store/import-schema'
import { isAtWork } from './import-turn'
import * as refusals from '@/lib/words/refusals'

export type ImportRow = typeof customerImports.$inferSelect

const mostTroubles = 100
const mostDoubts = 100

/** Finds an import of the merchant. Throws Failure 'not-found'. */
export async function findImport(db: Database, scope: Scope, importId: string): Promise<ImportRow> {
  const [row] = await db
    .select()
    .from(customerImports)
    .where(and(eq(customerImports.connectionId, scope.connectionId), eq(customerImports.id, importId)))
  if (!row) throw new Failure('not-found', { detail: refusals.thereIsNoSuchImport(getSettings().KEEP_IMPORTS) })
  return row
}

/** The first lines in doubt of an import, those that wait for a person before those that the desk still looks for. */
async function readDoubts(db: Database, { id }: ImportRow): Promise<DoubtfulLine[]> {
  const rows = await db
    .select()
    .from(customerImportRows)
    .where(and(eq(customerImportRows.importId, id), eq(customerImportRows.state, 'unknown')))
    .orderBy(sql`${customerImportRows.heldAt} is null`, asc(customerImportRows.line))
    .limit(mostDoubts)
  return rows.map(({ line, body, sentAt, failure, message, heldAt, heldFor, candidates }) => ({
    line,
    name: body['name'] ?? '',
    number: body['number'] || null,
    sentAt: sentAt?.toISOString() ?? null,
    failure,
    message,
    heldFor: heldAt === null ? null : heldFor,
    candidates: candidates ?? [],
  }))
}

/** An import as people are told of it. */
export async function viewImport(db: Database, row: ImportRow): Promise<CustomerImportView> {
  const mine = eq(customerImportRows.importId, row.id)
  const { state, heldAt, settledBy } = customerImportRows
  const counted = await db.select({ state, total: count() }).from(customerImportRows).where(mine).groupBy(state)
  const found = await db.$count(customerImportRows, and(mine, eq(state, 'created'), isNotNull(settledBy)))
  const held = await db.$count(customerImportRows, and(mine, eq(state, 'unknown'), isNotNull(heldAt)))
  const troubles = await db
    .select({ line: customerImportRows.line, state, message: customerImportRows.message, leftOutBy: settledBy })
    .from(customerImportRows)
    .where(and(mine, inArray(state, ['refused', 'left-out'])))
    .orderBy(asc(customerImportRows.line))
    .limit(mostTroubles)
  const of = (wanted: string) => counted.find((one) => one.state === wanted)?.total ?? 0
  return {
    importId: row.id,
    fileName: row.fileName,
    startedBy: row.startedBy,
    createdAt: row.createdAt.toISOString(),
    state: row.state === 'running' && !(await isAtWork(db, row)) ? 'interrupted' : row.state,
    problem: row.problem,
    waitUntil: row.waitUntil?.toISOString() ?? null,
    counts: {
      waiting: of('waiting'),
      created: of('created'),
      refused: of('refused'),
      leftOut: of('left-out'),
      unknown: of('unknown'),
      found,
      held,
    },
    troubles: troubles.flatMap(({ line, state, message, leftOutBy }) =>
      state === 'refused' || state === 'left-out' ? [{ line, state, message, leftOutBy }] : [],
    ),
    doubts: of('unknown') > 0 ? await readDoubts(db, row) : [],
  }
}

/** The latest imports of the merchant, newest first. */
export async function listImports(db: Database, scope: Scope): Promise<CustomerImportView[]> {
  const rows = await db
    .select()
    .from(customerImports)
    .where(eq(customerImports.connectionId, scope.connectionId))
    .orderBy(desc(customerImports.createdAt))
    .limit(10)
  return Promise.all(rows.map((row) => viewImport(db, row)))
}
