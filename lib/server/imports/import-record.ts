import { randomUUID } from 'node:crypto'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { customerFields } from '@/lib/api-contract/customer-fields'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { writeCsv } from '@/lib/domain/csv'
import type { CustomerImportView, DoubtfulLine } from '@/lib/domain/customer-import'
import type { TenantScope } from '../auth/tenant-scope'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { customerImportRows, customerImports } from '../store/import-schema'
import { isLeased, isPast } from '../store/leases'
import * as words from '@/lib/words/customer-import'
import * as refusals from '@/lib/words/refusals'

export type ImportRow = typeof customerImports.$inferSelect

const mostTroubles = 100
const mostDoubts = 100

/** Finds an import of the merchant. Throws AppError 'not-found'. */
export async function findImport(db: Database, scope: TenantScope, importId: string): Promise<ImportRow> {
  const [row] = await db
    .select()
    .from(customerImports)
    .where(and(eq(customerImports.connectionId, scope.connectionId), eq(customerImports.id, importId)))
  if (!row) throw new AppError('not-found', { detail: refusals.thereIsNoSuchImport(getSettings().KEEP_IMPORTS) })
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
export async function listImports(db: Database, scope: TenantScope): Promise<CustomerImportView[]> {
  const rows = await db
    .select()
    .from(customerImports)
    .where(eq(customerImports.connectionId, scope.connectionId))
    .orderBy(desc(customerImports.createdAt))
    .limit(10)
  return Promise.all(rows.map((row) => viewImport(db, row)))
}

/** Longer than a line may take; renewed before each line, and while the import waits. In milliseconds. */
const lease = 45_000

/** The turn to send the lines of an import: nobody else has it, in whichever process, until it is left or runs out. */
export class ImportLease {
  readonly #mine

  private constructor(
    readonly db: Database,
    readonly row: ImportRow,
    holder: string,
  ) {
    this.#mine = and(eq(customerImports.id, row.id), eq(customerImports.holder, holder))
  }

  /** Takes the turn; null where somebody else has it. */
  static async take(db: Database, row: ImportRow): Promise<ImportLease | null> {
    const holder = randomUUID()
    const taken = await db
      .update(customerImports)
      .set({ holder, leaseUntil: databaseTime(lease) })
      .where(and(eq(customerImports.id, row.id), isPast(customerImports.leaseUntil)))
      .returning({ id: customerImports.id })
    return taken.length === 0 ? null : new ImportLease(db, row, holder)
  }

  /** Whether the next line may be sent: it runs, and it is still this turn, which is renewed. */
  async keep(): Promise<boolean> {
    const kept = await this.db
      .update(customerImports)
      .set({ leaseUntil: databaseTime(lease) })
      .where(and(this.#mine, eq(customerImports.state, 'running')))
      .returning({ id: customerImports.id })
    return kept.length > 0
  }

  /** Changes the import while it runs and this is its turn. */
  async set(change: Partial<ImportRow>): Promise<void> {
    await this.db
      .update(customerImports)
      .set({ ...change, changedAt: new Date() })
      .where(and(this.#mine, eq(customerImports.state, 'running')))
  }

  /** Ends the import if no line is left; false where there is one, which somebody has just added. */
  finish(): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const [locked] = await tx.select().from(customerImports).where(this.#mine).for('update')
      const isLeft = and(
        eq(customerImportRows.importId, this.row.id),
        or(
          eq(customerImportRows.state, 'waiting'),
          // In doubt and still looked for; those that wait for a person keep nobody.
          and(eq(customerImportRows.state, 'unknown'), isNull(customerImportRows.heldAt)),
        ),
      )
      if (locked?.state !== 'running' || (await tx.$count(customerImportRows, isLeft)) > 0) return false
      await tx.update(customerImports).set({ state: 'done', waitUntil: null, changedAt: new Date() }).where(this.#mine)
      return true
    })
  }

  /** Leaves the turn to others; false where the import was set to run again meanwhile: then it is this turn's to go on. */
  async leave(): Promise<boolean> {
    const left = await this.db
      .update(customerImports)
      .set({ holder: null, leaseUntil: null })
      .where(and(this.#mine, ne(customerImports.state, 'running')))
      .returning({ id: customerImports.id })
    return left.length > 0 || (await this.db.$count(customerImports, this.#mine)) === 0
  }
}

/** Whether somebody, in whichever process, sends the lines of an import. */
export async function isAtWork(db: Database, { id }: Pick<ImportRow, 'id'>): Promise<boolean> {
  const [found] = await db
    .select({ leased: isLeased(customerImports.leaseUntil) })
    .from(customerImports)
    .where(eq(customerImports.id, id))
  return found?.leased ?? false
}

/** Frees what an earlier process had taken; only for a store on which no other can be at work. */
export async function freeImports(db: Database): Promise<void> {
  await db.update(customerImports).set({ holder: null, leaseUntil: null }).where(isNotNull(customerImports.leaseUntil))
}

type Row = typeof customerImportRows.$inferSelect

function describeResult({ state, settledBy, heldAt }: Row): string {
  switch (state) {
    case 'created':
      if (settledBy === null) return words.resultCreated
      return settledBy === 'desk' ? words.resultFound : words.resultMatched(settledBy)
    case 'left-out':
      return settledBy === null ? words.leftOutLabel : words.resultLeftOutBy(settledBy)
    case 'unknown':
      return heldAt === null ? words.resultInDoubt : words.resultHeld
    default:
      return state === 'refused' ? words.resultRefused : words.resultWaiting
  }
}

/** The result of an import as CSV: a row per line, what became of it, and what was sent. */
export async function writeImportResult(db: Database, importId: string): Promise<string> {
  const rows = await db
    .select()
    .from(customerImportRows)
    .where(eq(customerImportRows.importId, importId))
    .orderBy(asc(customerImportRows.line))
  const head = ['Line', 'Result', 'Customer id', 'Handle', 'Message', ...customerFields.map(({ label }) => label)]
  return writeCsv([
    head,
    ...rows.map((row) => [
      String(row.line),
      describeResult(row),
      row.customerId ?? '',
      row.handle ?? '',
      row.message ?? '',
      ...customerFields.map(({ name }) => row.body[name] ?? ''),
    ]),
  ])
}
