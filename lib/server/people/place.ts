import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { KeptKind } from '@/lib/domain/kept-kinds'
import type { OpenWork } from '@/lib/domain/people'
import type { Person } from './person'

/** What a row keeps about the person. */
export type Finding<Change> = {
  /** For the export. */
  shown: Record<string, unknown>
  /** How the row is rid of it; null if only facts are left. */
  change: Change | null
  /** The work that still needs the row, so that it can't be erased yet. */
  open: OpenWork | null
}

/** What is erased from: the store, with its clock. */
export type ErasedStore = Pick<OpenDatabase, 'db' | 'clock'>

/** How one kind of row is found and rid of a person. */
type PlaceDefinition<Row, Change> = {
  kind: KeptKind
  /** Rows of the merchant that may concern the person, a page at a time. */
  pages: (db: Database, person: Person) => AsyncGenerator<Row[]>
  inspect: (row: Row, person: Person) => Finding<Change> | null
  /** The same rows as they are now, locked. */
  lock: (tx: Database, rows: readonly Row[]) => Promise<Row[]>
  store: (
    tx: Database,
    changes: readonly { row: Row; change: Change }[],
    given: { person: Person; clock: ErasedStore['clock'] },
  ) => Promise<void>
}

export type Place = {
  kind: KeptKind
  find: (db: Database, person: Person) => AsyncGenerator<Finding<unknown>>
  /** Erases in transactions of some rows each; can be repeated. */
  erase: (store: ErasedStore, person: Person) => Promise<{ erased: number; left: number }>
}

/** Rows per transaction: PGlite runs each in this thread. */
const ROWS_PER_TRANSACTION = 50

/** Lets triggers pass that keep ended cancellations and the activity log as they are, until the transaction ends. */
export async function allowErasing(tx: Database): Promise<void> {
  await tx.execute(sql`select set_config('debitdesk.erasing', 'on', true)`)
}

export function definePlace<Row, Change>(definition: PlaceDefinition<Row, Change>): Place {
  const { kind, pages, inspect, lock, store } = definition

  async function eraseRows({ db, clock }: ErasedStore, person: Person, rows: readonly Row[]) {
    return db.transaction(async (tx) => {
      await allowErasing(tx)
      const found = (await lock(tx, rows)).map((row) => ({ row, finding: inspect(row, person) }))
      const changes = found.flatMap(({ row, finding }) =>
        finding?.change && !finding.open ? [{ row, change: finding.change }] : [],
      )
      if (changes.length > 0) await store(tx, changes, { person, clock })
      const left = found.filter(({ finding }) => finding?.change && finding.open).length
      return { erased: changes.length, left }
    })
  }

  return {
    kind,
    async *find(db, person) {
      for await (const page of pages(db, person)) {
        for (const row of page) {
          const finding = inspect(row, person)
          if (finding) yield finding
        }
        await nextTurn()
      }
    },
    async erase(from, person) {
      const sum = { erased: 0, left: 0 }
      for await (const page of pages(from.db, person)) {
        const meant = page.filter((row) => inspect(row, person)?.change)
        for (let at = 0; at < meant.length; at += ROWS_PER_TRANSACTION) {
          const { erased, left } = await eraseRows(from, person, meant.slice(at, at + ROWS_PER_TRANSACTION))
          sum.erased += erased
          sum.left += left
          await nextTurn()
        }
        await nextTurn()
      }
      return sum
    },
  }
}

const PAGE_SIZE = 500

/** Pages through rows by a key that only grows; the next page begins after the last row's. */
export async function* followKey<Row, Key>(
  read: (after: Key | null, limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  let after: Key | null = null
  for (;;) {
    const rows: Row[] = await read(after, PAGE_SIZE)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_SIZE) return
    after = keyOf(last)
  }
}
