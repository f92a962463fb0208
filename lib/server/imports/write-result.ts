import { asc, eq } from 'drizzle-orm'
import { customerFields } from '@/lib/contract/customer-fields'
import type { Database } from '@/lib/database/open-database'
import { writeCsv } from '@/lib/format/write-csv'
import * as words from '@/lib/words/customer-import'
import { customerImportRows } from '../store/import-schema'

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
