import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { databaseTime } from '@/lib/database/store-clock'
import { customerImportRows, customerImports } from '../store/import-schema'
import { isLeased, isPast } from '../store/lease'
import type { ImportRow } from './view-import'

/** Longer than a line may take; renewed before each line, and while the import waits. In milliseconds. */
const lease = 45_000

/** The turn to send the lines of an import: nobody else has it, in whichever process, until it is left or runs out. */
export class ImportTurn {
  readonly #mine

  private constructor(
    readonly db: Database,
    readonly row: ImportRow,
    holder: string,
  ) {
    this.#mine = and(eq(customerImports.id, row.id), eq(customerImports.holder, holder))
  }

  /** Takes the turn; null where somebody else has it. */
  static async take(db: Database, row: ImportRow): Promise<ImportTurn | null> {
    const holder = randomUUID()
    const taken = await db
      .update(customerImports)
      .set({ holder, leaseUntil: databaseTime(lease) })
      .where(and(eq(customerImports.id, row.id), isPast(customerImports.leaseUntil)))
      .returning({ id: customerImports.id })
    return taken.length === 0 ? null : new ImportTurn(db, row, holder)
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
