import { and, asc, eq, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { listExportParts } from '../store/export-schema'

/** Tells spreadsheets that the file is UTF-8. It is not kept: PGlite would take it for one of its own and drop it. */
export const byteOrderMark = '\uFEFF'

/** The parts of an export, one after the other: first the mark of the encoding, then what is kept. */
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
    yield part
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
