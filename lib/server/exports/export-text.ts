import { and, asc, eq, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { openKept, sealSecret } from '../seal-secret'
import { listExportParts } from '../store/export-schema'

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
    .values({ exportId, part, text: sealSecret(text, partPurpose(exportId, part)), sealed: true, marks })
}

/**
 * The parts of an export, one after the other: first the mark of the encoding, then what is kept. Throws where one can't
 * be opened: a file with a hole would be taken for the whole.
 */
export async function* readParts(
  db: Database,
  exportId: string,
): AsyncGenerator<{ text: string; marks: string | null }, void, void> {
  yield { text: byteOrderMark, marks: null }
  let last = -1
  for (;;) {
    const [part] = await db
      .select()
      .from(listExportParts)
      .where(and(eq(listExportParts.exportId, exportId), gt(listExportParts.part, last)))
      .orderBy(asc(listExportParts.part))
      .limit(1)
    if (!part) return
    const text = openKept(part.text, part.sealed, partPurpose(exportId, part.part))
    if (text === null) throw new Error('a part of an export was sealed with another NEXTAUTH_SECRET, or changed')
    yield { text, marks: part.marks }
    last = part.part
  }
}

/** The text of an export as bytes, a part at a time as the reader takes it. */
export function streamExport(db: Database, exportId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const parts = readParts(db, exportId)
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value.text))
      },
    },
    { highWaterMark: 1 },
  )
}
