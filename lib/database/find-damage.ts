import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checksumPage, pageSize } from './page-checksum'

/** Without one of these nothing opens, or opens and hangs, or is taken for a new database. 1259, 1249, 1247, 1255: the catalogue of the catalogue. */
const needed = [
  'PG_VERSION',
  'postgresql.conf',
  'global/pg_control',
  'global/pg_filenode.map',
  'pg_wal',
  'pg_xact',
  'base/1/PG_VERSION',
  'base/5/PG_VERSION',
  ...['pg_filenode.map', '1259', '1249', '1247', '1255'].map((name) => `base/5/${name}`),
]
const segmentSize = 16 * 1_048_576
const controlSize = 8_192
/** `state` in pg_control, behind three fields of 8, 4 and 4 bytes; 1 is "shut down". */
const stateOffset = 16
const shutDown = 1
/** Pages of a file that continues another: relations are split at 1 GB. */
const pagesPerFile = 131_072
const relation = /^\d+(?:_vm|_fsm)?(?:\.(\d+))?$/u

/** Whether Postgres itself ended last time; otherwise pages may be half written, and its log mends them. */
export async function wasShutDown(folder: string): Promise<boolean> {
  const control = await readFile(join(folder, 'global/pg_control'))
  return control.length >= controlSize && control.readUInt32LE(stateOffset) === shutDown
}

/** What is missing or has the wrong size, as a path in `folder` with a reason; null when nothing is. */
export async function findMissing(folder: string): Promise<string | null> {
  for (const path of needed) if (!(await stat(join(folder, path)).catch(() => null))) return `${path} is missing`
  const { size } = await stat(join(folder, 'global/pg_control'))
  if (size !== controlSize) return `global/pg_control has ${size} bytes in place of ${controlSize}`
  const logs = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[\dA-F]{24}$/u.test(name))
  if (logs.length === 0) return 'pg_wal holds no log'
  for (const name of logs) {
    const bytes = (await stat(join(folder, 'pg_wal', name))).size
    if (bytes !== segmentSize) return `pg_wal/${name} has ${bytes} bytes in place of ${segmentSize}`
  }
  return null
}

async function findBadPage(path: string, first: number): Promise<number | null> {
  const file = await open(path)
  try {
    const chunk = Buffer.alloc(pageSize * 128)
    for (let block = first; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null)
      for (let at = 0; at + pageSize <= bytesRead; at += pageSize, block += 1) {
        const page = new Uint32Array(chunk.buffer, chunk.byteOffset + at, pageSize / 4)
        const written = chunk.readUInt16LE(at + 8)
        // A page of zeros is one that was added and not yet written.
        if (written === 0 && page.every((word) => word === 0)) continue
        if (checksumPage(page, block) !== written) return block - first
      }
      if (bytesRead < chunk.length) return null
    }
  } finally {
    await file.close()
  }
}

/**
 * Holds every page of a database folder at rest against its checksum. Answers the first that differs, as a
 * path in `folder` with its place; null when all are sound. Some seconds for a gigabyte.
 */
export async function findDamage(folder: string): Promise<string | null> {
  const databases = (await readdir(join(folder, 'base'))).map((name) => `base/${name}`)
  for (const part of ['global', ...databases]) {
    for (const name of await readdir(join(folder, part))) {
      const match = relation.exec(name)
      if (!match) continue
      const bad = await findBadPage(join(folder, part, name), Number(match[1] ?? 0) * pagesPerFile)
      if (bad !== null) return `${part}/${name} is damaged at byte ${bad * pageSize}`
    }
  }
  return null
}
