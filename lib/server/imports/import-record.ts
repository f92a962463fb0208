import { randomUUID } from 'node:crypto'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { customerFields } from '@/lib/api-contract/customer-fields'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { type CsvFlavour, writeCsv } from '@/lib/domain/csv'
import type { CustomerImportView, DoubtfulLine } from '@/lib/domain/customers/customer-import'
import type { TenantScope } from '../auth/tenant-scope'
import { announceChanges } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { customerImportRows, customerImports } from '../store/import-schema'
import { isLeased, isPast } from '../store/leases'
import * as m from '@/lib/messages/m'

export type ImportRow = typeof customerImports.$inferSelect

const MAX_TROUBLES = 100
const MAX_DOUBTS = 100
const MAX_CUSTOMERS = 100

/** Throws AppError 'not-found' if the merchant has no such import. */
export async function findImport(db: Database, scope: TenantScope, importId: string): Promise<ImportRow> {
  const [row] = await db
    .select()
    .from(customerImports)
    .where(and(eq(customerImports.connectionId, scope.connectionId), eq(customerImports.id, importId)))
  if (!row)
    throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchImport({ days: getSettings().KEEP_IMPORTS }) })
  return row
}

/** The first lines in doubt; those that need a user come first. */
async function readDoubts(db: Database, { id }: ImportRow): Promise<DoubtfulLine[]> {
  const rows = await db
    .select()
    .from(customerImportRows)
    .where(and(eq(customerImportRows.importId, id), eq(customerImportRows.state, 'unknown')))
    .orderBy(sql`${customerImportRows.heldAt} is null`, asc(customerImportRows.line))
    .limit(MAX_DOUBTS)
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

/** The first created customers of whom the id is known. */
async function readCustomers(db: Database, { id }: ImportRow): Promise<CustomerImportView['customers']> {
  const { importId, state, line, body, customerId } = customerImportRows
  const rows = await db
    .select({ line, body, customerId })
    .from(customerImportRows)
    .where(and(eq(importId, id), eq(state, 'created'), isNotNull(customerId)))
    .orderBy(asc(line))
    .limit(MAX_CUSTOMERS)
  return rows.flatMap((row) =>
    row.customerId === null ? [] : [{ line: row.line, name: row.body['name'] ?? '', customerId: row.customerId }],
  )
}

/** How many lines of an import are in which state. */
export async function countLines(db: Database, importId: string): Promise<CustomerImportView['counts']> {
  const isOfImport = eq(customerImportRows.importId, importId)
  const { state, heldAt, settledBy } = customerImportRows
  const counted = await db.select({ state, total: count() }).from(customerImportRows).where(isOfImport).groupBy(state)
  const countOf = (wanted: string) => counted.find((one) => one.state === wanted)?.total ?? 0
  return {
    waiting: countOf('waiting'),
    created: countOf('created'),
    refused: countOf('refused'),
    leftOut: countOf('left-out'),
    unknown: countOf('unknown'),
    found: await db.$count(customerImportRows, and(isOfImport, eq(state, 'created'), isNotNull(settledBy))),
    held: await db.$count(customerImportRows, and(isOfImport, eq(state, 'unknown'), isNotNull(heldAt))),
  }
}

/** An import without the customers that it created. */
async function viewProgress(db: Database, row: ImportRow): Promise<CustomerImportView> {
  const isOfImport = eq(customerImportRows.importId, row.id)
  const { state, settledBy } = customerImportRows
  const counts = await countLines(db, row.id)
  const troubles = await db
    .select({ line: customerImportRows.line, state, message: customerImportRows.message, leftOutBy: settledBy })
    .from(customerImportRows)
    .where(and(isOfImport, inArray(state, ['refused', 'left-out'])))
    .orderBy(asc(customerImportRows.line))
    .limit(MAX_TROUBLES)
  return {
    importId: row.id,
    fileName: row.fileName,
    startedBy: row.startedBy,
    createdAt: row.createdAt.toISOString(),
    state: row.state === 'running' && !(await isBeingSent(db, row)) ? 'interrupted' : row.state,
    problem: row.problem,
    waitUntil: row.waitUntil?.toISOString() ?? null,
    counts,
    troubles: troubles.flatMap(({ line, state, message, leftOutBy }) =>
      state === 'refused' || state === 'left-out' ? [{ line, state, message, leftOutBy }] : [],
    ),
    customers: [],
    doubts: counts.unknown > 0 ? await readDoubts(db, row) : [],
  }
}

export async function viewImport(db: Database, row: ImportRow): Promise<CustomerImportView> {
  const view = await viewProgress(db, row)
  // Read every second while it runs.
  return view.state === 'running' ? view : { ...view, customers: await readCustomers(db, row) }
}

/** The merchant's latest imports, newest first, without the customers that they created. */
export async function listImports(db: Database, scope: TenantScope): Promise<CustomerImportView[]> {
  const rows = await db
    .select()
    .from(customerImports)
    .where(eq(customerImports.connectionId, scope.connectionId))
    .orderBy(desc(customerImports.createdAt))
    .limit(10)
  return Promise.all(rows.map((row) => viewProgress(db, row)))
}

/** Longer than a line takes; renewed before each line and while the import waits. */
const LEASE_MS = 45_000

/** Exclusive right to send the lines of an import, across processes, until it is released or expires. */
export class ImportLease {
  readonly #isHeld

  private constructor(
    readonly db: Database,
    readonly row: ImportRow,
    holder: string,
  ) {
    this.#isHeld = and(eq(customerImports.id, row.id), eq(customerImports.holder, holder))
  }

  /** Null if another worker holds it. */
  static async take(db: Database, row: ImportRow): Promise<ImportLease | null> {
    const holder = randomUUID()
    const leased = await db
      .update(customerImports)
      .set({ holder, leaseUntil: databaseTime(LEASE_MS) })
      .where(and(eq(customerImports.id, row.id), isPast(customerImports.leaseUntil)))
      .returning({ id: customerImports.id })
    return leased.length === 0 ? null : new ImportLease(db, row, holder)
  }

  /** Renews the lease. False if it was lost or the import no longer runs. */
  async renew(): Promise<boolean> {
    const renewed = await this.db
      .update(customerImports)
      .set({ leaseUntil: databaseTime(LEASE_MS) })
      .where(and(this.#isHeld, eq(customerImports.state, 'running')))
      .returning({ id: customerImports.id })
    return renewed.length > 0
  }

  /** Updates the import while it runs under this lease. */
  async update(change: Partial<ImportRow>): Promise<void> {
    await this.db
      .update(customerImports)
      .set({ ...change, changedAt: new Date() })
      .where(and(this.#isHeld, eq(customerImports.state, 'running')))
    await this.announce()
  }

  /** Announces that the import or one of its lines has changed. */
  announce(tx: Database = this.db): Promise<void> {
    const { connectionId, id } = this.row
    return announceChanges(tx, [{ connectionId, kind: 'import', id }])
  }

  /** Finishes the import; false if lines are left, possibly just added. */
  finish(): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const [locked] = await tx.select().from(customerImports).where(this.#isHeld).for('update')
      const isLeft = and(
        eq(customerImportRows.importId, this.row.id),
        or(
          eq(customerImportRows.state, 'waiting'),
          // Still being looked for. Lines held for a user do not keep the import open.
          and(eq(customerImportRows.state, 'unknown'), isNull(customerImportRows.heldAt)),
        ),
      )
      if (locked?.state !== 'running' || (await tx.$count(customerImportRows, isLeft)) > 0) return false
      await tx
        .update(customerImports)
        .set({ state: 'done', waitUntil: null, changedAt: new Date() })
        .where(this.#isHeld)
      await this.announce(tx)
      return true
    })
  }

  /** Releases the lease; false if the import was resumed meanwhile, so that this worker must continue. */
  async release(): Promise<boolean> {
    const released = await this.db
      .update(customerImports)
      .set({ holder: null, leaseUntil: null })
      .where(and(this.#isHeld, ne(customerImports.state, 'running')))
      .returning({ id: customerImports.id })
    return released.length > 0 || (await this.db.$count(customerImports, this.#isHeld)) === 0
  }
}

/** Whether any process is sending the lines. */
export async function isBeingSent(db: Database, { id }: Pick<ImportRow, 'id'>): Promise<boolean> {
  const [found] = await db
    .select({ leased: isLeased(customerImports.leaseUntil) })
    .from(customerImports)
    .where(eq(customerImports.id, id))
  return found?.leased ?? false
}

/** Releases leases of an earlier process; only for a store that no other process can use. */
export async function freeImportLeases(db: Database): Promise<void> {
  await db.update(customerImports).set({ holder: null, leaseUntil: null }).where(isNotNull(customerImports.leaseUntil))
}

type LineRow = typeof customerImportRows.$inferSelect

function describeResult({ state, settledBy, heldAt }: LineRow): string {
  switch (state) {
    case 'created':
      if (settledBy === null) return m.customerImport_resultCreated()
      return settledBy === 'desk'
        ? m.customerImport_resultFound()
        : m.customerImport_resultMatched({ email: settledBy })
    case 'left-out':
      return settledBy === null
        ? m.customerImport_leftOutLabel()
        : m.customerImport_resultLeftOutBy({ email: settledBy })
    case 'unknown':
      return heldAt === null ? m.customerImport_resultInDoubt() : m.customerImport_resultHeld()
    default:
      return state === 'refused' ? m.customerImport_resultRefused() : m.customerImport_resultWaiting()
  }
}

/** The result of an import as CSV: one row per line, with its outcome and what was sent. */
export async function writeImportResult(db: Database, importId: string, flavour?: CsvFlavour): Promise<string> {
  const rows = await db
    .select()
    .from(customerImportRows)
    .where(eq(customerImportRows.importId, importId))
    .orderBy(asc(customerImportRows.line))
  const head = [
    m.customerImport_headLine(),
    m.customerImport_headResult(),
    m.customerImport_headCustomerId(),
    m.customerImport_headHandle(),
    m.customerImport_headMessage(),
    ...customerFields.map(({ label }) => label()),
  ]
  const cells = rows.map((row) => [
    String(row.line),
    describeResult(row),
    row.customerId ?? '',
    row.handle ?? '',
    row.message ?? '',
    ...customerFields.map(({ name }) => row.body[name] ?? ''),
  ])
  return writeCsv([head, ...cells], flavour)
}
