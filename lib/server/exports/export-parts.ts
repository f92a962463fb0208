import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import * as refusals from '@/lib/words/refusals'
import { AppError } from '../runtime/app-error'
import { decryptStored, encryptSecret } from '../store/encryption'
import { listExportParts } from '../store/export-schema'
import { streamText } from '../http/stream-text'
import type { ExportRow } from './queries'

/** Tells spreadsheets that the file is UTF-8. It is not kept: PGlite would take it for one of its own and drop it. */
export const byteOrderMark = '\uFEFF'

/** Bound to its place: a sealed part that is moved does not open there. */
export const partPurpose = (exportId: string, part: number) => `part ${part} of export ${exportId}`

/** Keeps a part of an export, sealed. */
export async function keepPart(
  tx: Database,
  { exportId, part, text, marks }: { exportId: string; part: number; text: string; marks?: string },
): Promise<void> {
  await tx
    .insert(listExportParts)
    .values({ exportId, part, text: encryptSecret(text, partPurpose(exportId, part)), sealed: true, marks })
}

type Part = { text: string; marks: string | null }

/** A part as it was kept; null where it is gone, was changed, or was sealed with a secret that this desk doesn't have. */
async function openPart(db: Database, exportId: string, part: number): Promise<Part | null> {
  const [kept] = await db
    .select()
    .from(listExportParts)
    .where(and(eq(listExportParts.exportId, exportId), eq(listExportParts.part, part)))
  const text = kept ? decryptStored(kept.text, kept.sealed, partPurpose(exportId, part)) : null
  return kept && text !== null ? { text, marks: kept.marks } : null
}

/**
 * The parts of an export, one after the other: first the mark of the encoding, then what is kept. Throws where one can't
 * be opened: a file with a hole would be taken for the whole.
 */
export async function* readParts(
  db: Database,
  { id, parts }: Pick<ExportRow, 'id' | 'parts'>,
): AsyncGenerator<Part, void, void> {
  yield { text: byteOrderMark, marks: null }
  for (let at = 0; at < parts; at += 1) {
    const part = await openPart(db, id, at)
    if (!part) throw new Error('a part of an export is gone, was sealed with another NEXTAUTH_SECRET, or changed')
    yield part
  }
}

async function* readTexts(...[db, row]: Parameters<typeof readParts>): AsyncGenerator<string, void, void> {
  for await (const { text } of readParts(db, row)) yield text
}

/**
 * The text of an export as bytes, a part at a time as the reader takes it; send `bytes` of the row as its length. Throws
 * AppError 'secret-locked' where the first or last part can't be opened, as with another secret. One between them breaks
 * the stream off, and whoever was told the length knows that the file is not whole.
 */
export async function streamExport(
  db: Database,
  row: Pick<ExportRow, 'id' | 'parts'>,
): Promise<ReadableStream<Uint8Array>> {
  for (const part of new Set([0, row.parts - 1])) {
    // One that was stopped before its first part is an empty file.
    if (row.parts > 0 && !(await openPart(db, row.id, part)))
      throw new AppError('secret-locked', { detail: refusals.theExportCannotBeOpened })
  }
  return streamText(readTexts(db, row))
}
