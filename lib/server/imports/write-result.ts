import { asc, eq } from 'drizzle-orm'
import { customerFields } from '@/lib/contract/customer-fields'
import type { Database } from '@/lib/database/open-database'
import { writeCsv } from '@/lib/format/write-csv'
import { customerImportRows } from '../store/import-schema'

const words = {
  waiting: 'not sent',
  created: 'created',
  refused: 'refused',
  'left-out': 'left out',
  unknown: 'outcome unknown',
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
    ...rows.map(({ line, state, customerId, handle, message, body }) => [
      String(line),
      words[state],
      customerId ?? '',
      handle ?? '',
      message ?? '',
      ...customerFields.map(({ name }) => body[name] ?? ''),
    ]),
  ])
}
