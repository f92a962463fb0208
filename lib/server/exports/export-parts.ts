import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import { decryptStored, encryptSecret } from '../store/encryption'
import { listExportParts } from '../store/export-schema'
import { streamText } from '../http/stream-text'
import type { ExportRow } from './queries'
import * as m from '@/lib/messages/m'

/** Tells spreadsheets that the file is UTF-8. Not stored, because PGlite would drop it as its own. */
export const byteOrderMark = '\uFEFF'

/** Binds the encryption to the position: a part that was moved cannot be decrypted. */
export const partPurpose = (exportId: string, part: number) => `part ${part} of export ${exportId}`

export async function storePart(
  tx: Database,
  { exportId, part, text, marks }: { exportId: string; part: number; text: string; marks?: string },
): Promise<void> {
  await tx
    .insert(listExportParts)
    .values({ exportId, part, text: encryptSecret(text, partPurpose(exportId, part)), sealed: true, marks })
}

type ExportPart = { text: string; marks: string | null }

/** A decrypted part; null if it is missing, was changed, or was encrypted with an unknown secret. */
async function readPart(db: Database, exportId: string, part: number): Promise<ExportPart | null> {
  const [stored] = await db
    .select()
    .from(listExportParts)
    .where(and(eq(listExportParts.exportId, exportId), eq(listExportParts.part, part)))
  const text = stored ? decryptStored(stored.text, stored.sealed, partPurpose(exportId, part)) : null
  return stored && text !== null ? { text, marks: stored.marks } : null
}

/**
 * Yields the parts of an export, starting with the byte order mark. Throws AppError 'secret-locked' if one is gone, was
 * changed or cannot be decrypted: a file with a gap would pass for complete.
 */
export async function* readParts(
  db: Database,
  { id, parts }: Pick<ExportRow, 'id' | 'parts'>,
): AsyncGenerator<ExportPart, void, void> {
  yield { text: byteOrderMark, marks: null }
  for (let at = 0; at < parts; at += 1) {
    const part = await readPart(db, id, at)
    if (!part) throw new AppError('secret-locked', { detail: m.refusals_theExportCannotBeOpened() })
    yield part
  }
}

async function* readTexts(...[db, row]: Parameters<typeof readParts>): AsyncGenerator<string, void, void> {
  for await (const { text } of readParts(db, row)) yield text
}

/**
 * Streams an export's text as bytes; send the row's `bytes` as Content-Length. Throws AppError 'secret-locked' if the
 * first or last part cannot be decrypted, as with another secret. A failure in between breaks the stream, which the
 * length exposes.
 */
export async function streamExport(
  db: Database,
  row: Pick<ExportRow, 'id' | 'parts'>,
): Promise<ReadableStream<Uint8Array>> {
  for (const part of new Set([0, row.parts - 1])) {
    // An export stopped before its first part is an empty file.
    if (row.parts > 0 && !(await readPart(db, row.id, part)))
      throw new AppError('secret-locked', { detail: m.refusals_theExportCannotBeOpened() })
  }
  return streamText(readTexts(db, row))
}
