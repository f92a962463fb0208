import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { type CsvFlavour, parseCsv, unescapeFormulas } from '@/lib/domain/csv'
import type { ExportQuery } from '@/lib/domain/lists/list-export'
import { partPurpose } from '../exports/export-parts'
import { exportColumns, type ExportRow, isInterrupted } from '../exports/queries'
import { announceExport } from '../changes/announce-changes'
import { decryptStored } from '../store/encryption'
import { exportSchedules, listExportParts, listExports } from '../store/export-schema'
import { isAboutPerson, mayMention, mentionsPerson, type Person, someText } from './person'
import { definePlace } from './place'

/** An export with those of its lines that name the person; `isLocked` if a part can't be decrypted. */
type ReadExport = ExportRow & { lines: string[]; isLocked: boolean }

const PARTS_PER_STATEMENT = 20

const readRows = (text: string, flavour?: CsvFlavour) =>
  parseCsv(text, () => (flavour === 'semicolon' ? ';' : ',')).rows

/** The lines of a part whose rows mention the person, as they are in the file. */
function pickLines(text: string, person: Person, { flavour }: ExportQuery, heads: readonly string[]): string[] {
  // Most parts mention nobody: reading their rows takes longer than a look at the whole.
  if (!mayMention(person, unescapeFormulas(text.replaceAll('""', '"'), flavour))) return []
  const lines = text.split('\n')
  return readRows(text, flavour).flatMap(({ line, cells }) => {
    if (!cells.some((cell, at) => isAboutPerson(person, unescapeFormulas(cell, flavour), heads[at]))) return []
    const height = cells.join('').split('\n').length
    return [
      lines
        .slice(line - 1, line - 1 + height)
        .join('\n')
        .trimEnd(),
    ]
  })
}

async function readLines(db: Database, row: ExportRow, person: Person): Promise<ReadExport> {
  const read: ReadExport = { ...row, lines: [], isLocked: false }
  let heads: readonly string[] = []
  for (let from = 0; from < row.parts; from += PARTS_PER_STATEMENT) {
    const parts = await db
      .select()
      .from(listExportParts)
      .where(and(eq(listExportParts.exportId, row.id), gt(listExportParts.part, from - 1)))
      .orderBy(asc(listExportParts.part))
      .limit(PARTS_PER_STATEMENT)
    for (const { part, text, sealed } of parts) {
      const plain = decryptStored(text, sealed, partPurpose(row.id, part))
      read.isLocked ||= plain === null
      if (plain === null) continue
      if (part === 0) heads = readRows(plain, row.query.flavour)[0]?.cells ?? []
      read.lines.push(...pickLines(plain, person, row.query, heads))
    }
  }
  return read
}

async function* readExports(db: Database, person: Person): AsyncGenerator<ReadExport[]> {
  const rows = await db
    .select(exportColumns)
    .from(listExports)
    .where(eq(listExports.connectionId, person.connectionId))
    .orderBy(asc(listExports.id))
  for (const row of rows) yield [await readLines(db, row, person)]
}

/** Exports that hold the person are deleted: a part can't be taken out of a file with a checksum, and it can be made again. */
export const exportPlace = definePlace<ReadExport, 'delete'>({
  kind: 'export',
  pages: readExports,
  inspect: ({ lines, isLocked, ...row }, person) => {
    const isAbout = lines.length > 0 || isLocked || someText(row.query, (text) => mentionsPerson(person, text))
    if (!isAbout) return null
    const { id, query, startedBy, createdAt, state } = row
    const isOpen = state === 'running' && !isInterrupted(row)
    return {
      shown: { id, list: query.list, filters: query.filters, startedBy, createdAt, lines },
      change: 'delete',
      open: isOpen ? { kind: 'export', id } : null,
    }
  },
  lock: async (tx, rows) => {
    const ids = rows.map(({ id }) => id)
    await tx.select({ id: listExports.id }).from(listExports).where(inArray(listExports.id, ids)).for('update')
    const locked = await tx.select(exportColumns).from(listExports).where(inArray(listExports.id, ids))
    return locked.flatMap((row) => {
      const read = rows.find(({ id }) => id === row.id)
      return read ? [{ ...row, lines: read.lines, isLocked: read.isLocked }] : []
    })
  },
  store: async (tx, changes) => {
    for (const { row } of changes) {
      await tx.delete(listExports).where(eq(listExports.id, row.id))
      await announceExport(tx, row)
    }
  },
})

type Schedule = typeof exportSchedules.$inferSelect

/** Scheduled exports of the person alone. */
export const schedulePlace = definePlace<Schedule, 'delete'>({
  kind: 'schedule',
  pages: async function* (db, { connectionId }) {
    yield await db.select().from(exportSchedules).where(eq(exportSchedules.connectionId, connectionId))
  },
  inspect: ({ id, query, times, nextAt, createdAt }, person) =>
    someText(query, (text) => mentionsPerson(person, text))
      ? { shown: { id, query, times, nextAt, createdAt }, change: 'delete', open: null }
      : null,
  lock: (tx, rows) =>
    tx
      .select()
      .from(exportSchedules)
      .where(
        inArray(
          exportSchedules.id,
          rows.map(({ id }) => id),
        ),
      )
      .for('update'),
  store: async (tx, changes) => {
    await tx.delete(exportSchedules).where(
      inArray(
        exportSchedules.id,
        changes.map(({ row }) => row.id),
      ),
    )
  },
})
