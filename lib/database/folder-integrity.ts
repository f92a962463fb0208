import { closeSync, openSync, readSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseError, nullIfMissing } from './errors'

/** Bytes of a page in PGlite, as in almost every Postgres. */
export const PAGE_BYTES = 8_192
/** Where a backup is restored beside the store, before it takes its place. */
export const RESTORE_FOLDER = 'restoring'

const offsets = Uint32Array.of(
  0x5b1f36e9,
  0xb8525960,
  0x02ab50aa,
  0x1de66d2a,
  0x79ff467a,
  0x9bb9f8a3,
  0x217e7cd2,
  0x83e13d2c,
  0xf8d4474f,
  0xe39eb970,
  0x42c6ae16,
  0x993216fa,
  0x7b093b5d,
  0x98daff3c,
  0xf718902a,
  0x0b1c9cdb,
  0xe58f764b,
  0x187636bc,
  0x5d7b3bb1,
  0xe73de7de,
  0x92bec979,
  0xcca6c0b2,
  0x304a0979,
  0x85aa43d4,
  0x783125bb,
  0x6ca8eaa2,
  0xe407eac6,
  0x4b5cfc3e,
  0x9fbf8c76,
  0x15ca20be,
  0xf2ca9fd3,
  0x959bd756,
)
const FNV_PRIME = 16_777_619
const PAGE_WORDS = PAGE_BYTES / 4

/**
 * Postgres's page checksum (src/include/storage/checksum_impl.h: 32 interleaved FNV-1a sums). `page` holds the page's
 * 32-bit words, `block` is its number within the relation; the checksum field counts as zero.
 */
export function checksumPage(page: Uint32Array, block: number): number {
  const sums = Uint32Array.from(offsets)
  for (let index = 0; index < PAGE_WORDS; index += 1) {
    // The third word's lower half is the checksum itself (little-endian).
    const mixed = (sums[index & 31] ?? 0) ^ (index === 2 ? (page[2] ?? 0) & 0xffff0000 : (page[index] ?? 0))
    sums[index & 31] = Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17)
  }
  for (let index = 0; index < 64; index += 1) {
    const mixed = sums[index & 31] ?? 0
    sums[index & 31] = Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17)
  }
  const sum = (sums.reduce((one, other) => one ^ other, 0) ^ block) >>> 0
  return (sum % 65_535) + 1
}

/**
 * Without one of these the database doesn't open, hangs when opened, or is taken for a new one. 1259, 1249, 1247 and 1255
 * are the tables of the system catalogue itself.
 */
const requiredFiles = [
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
const SEGMENT_BYTES = 16 * 1_048_576
const CONTROL_BYTES = 8_192
/** Offset of `state` in pg_control, after three fields of 8, 4 and 4 bytes; 1 is "shut down". */
const STATE_OFFSET = 16
const STATE_SHUT_DOWN = 1
/** Relations are split into files of 1 GB. */
const PAGES_PER_FILE = 131_072
const relation = /^\d+(?:_vm|_fsm)?(?:\.(\d+))?$/u

/** Whether Postgres was shut down properly; otherwise pages may be half written until its log repairs them. */
export async function wasShutDown(folder: string): Promise<boolean> {
  const control = await readFile(join(folder, 'global/pg_control'))
  return control.length >= CONTROL_BYTES && control.readUInt32LE(STATE_OFFSET) === STATE_SHUT_DOWN
}

/** The first missing or wrongly sized file, as a path in `folder` with a reason; null without any. */
export async function findMissing(folder: string): Promise<string | null> {
  for (const path of requiredFiles) {
    const file = join(folder, path)
    if (!(await stat(file).catch(nullIfMissing(file)))) return `${path} is missing`
  }
  const { size } = await stat(join(folder, 'global/pg_control'))
  if (size !== CONTROL_BYTES) return `global/pg_control has ${size} bytes in place of ${CONTROL_BYTES}`
  const logs = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[\dA-F]{24}$/u.test(name))
  if (logs.length === 0) return 'pg_wal holds no log'
  for (const name of logs) {
    const bytes = (await stat(join(folder, 'pg_wal', name))).size
    if (bytes !== SEGMENT_BYTES) return `pg_wal/${name} has ${bytes} bytes in place of ${SEGMENT_BYTES}`
  }
  return null
}

/**
 * `first` is the number of the file's first page; `chunk` is read into. Reads without waiting for another thread, which would
 * take longer than the reading: there are hundreds of files, most of a page or two.
 */
async function findBadPage(path: string, first: number, chunk: Buffer): Promise<number | null> {
  const file = openSync(path, 'r')
  try {
    for (let block = 0; ; ) {
      const bytesRead = readSync(file, chunk, 0, chunk.length, block * PAGE_BYTES)
      if (bytesRead < PAGE_BYTES) return null
      for (let at = 0; at + PAGE_BYTES <= bytesRead; at += PAGE_BYTES, block += 1) {
        const page = new Uint32Array(chunk.buffer, chunk.byteOffset + at, PAGE_BYTES / 4)
        const written = chunk.readUInt16LE(at + 8)
        // Pages of zeros were allocated but not yet written.
        if (written === 0 && page.every((word) => word === 0)) continue
        if (checksumPage(page, first + block) !== written) return block
      }
      if (bytesRead === chunk.length) await nextTurn()
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Verifies the checksums of all pages of a closed database. Returns the first damaged place as a path in `folder`, or
 * null. Takes some seconds per gigabyte.
 */
export async function findDamage(folder: string): Promise<string | null> {
  const databases = (await readdir(join(folder, 'base'))).map((name) => `base/${name}`)
  const chunk = Buffer.alloc(PAGE_BYTES * 128)
  for (const part of ['global', ...databases]) {
    for (const name of await readdir(join(folder, part))) {
      const match = relation.exec(name)
      if (!match) continue
      const bad = await findBadPage(join(folder, part, name), Number(match[1] ?? 0) * PAGES_PER_FILE, chunk)
      if (bad !== null) return `${part}/${name} is damaged at byte ${bad * PAGE_BYTES}`
    }
  }
  return null
}

/** Records whether the database was created completely. Without it a lost database would be taken for a new one. */
const stateFile = 'debitdesk.database'

async function writeState(folder: string, state: 'making' | 'made' | `replacing ${string}`): Promise<void> {
  const path = join(folder, stateFile)
  const file = await open(`${path}.new`, 'w')
  try {
    await file.writeFile(`${state}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

export function refuseDamaged(folder: string, reason: string): DatabaseError {
  return new DatabaseError(
    `The database in ${folder} is damaged: pglite/${reason}. Nothing was changed. Restore a backup of that folder, or move it away to begin with an empty one.`,
    'XX001',
  )
}

/**
 * Inspects a database folder before it is opened, and prepares it for a new database if there was none or its creation
 * was interrupted. Throws DatabaseError naming a missing or damaged file. `checkLater` when the pages must be verified
 * after the log has repaired them.
 */
export async function inspectFolder(folder: string): Promise<{ fresh: boolean; checkLater: boolean }> {
  const path = join(folder, stateFile)
  const state = ((await readFile(path, 'utf8').catch(nullIfMissing(path))) ?? '').trim()
  const data = join(folder, 'pglite')
  const exists = Boolean(await stat(data).catch(nullIfMissing(data)))
  if (state === 'making' || (state === '' && !exists)) {
    await writeState(folder, 'making')
    await rm(data, { recursive: true, force: true })
    return { fresh: true, checkLater: false }
  }
  const [, aside] = /^replacing (.+)$/u.exec(state) ?? []
  if (aside !== undefined && !exists) {
    throw new DatabaseError(
      `A restore of ${folder} was cut off: rename ${aside} to pglite, which is the database before, or restore again.`,
      '55000',
    )
  }
  const missing = exists ? await findMissing(data) : 'PG_VERSION is missing'
  if (missing !== null) throw refuseDamaged(folder, missing)
  const wasClosed = await wasShutDown(data)
  const damage = wasClosed ? await findDamage(data) : null
  if (damage !== null) throw refuseDamaged(folder, damage)
  return { fresh: false, checkLater: !wasClosed }
}

/** Records that a database takes the place of the one that is set aside as `aside`, until markCreated. */
export async function markReplacing(folder: string, aside: string): Promise<void> {
  await writeState(folder, `replacing ${aside}`)
}

/** Records that the database has been created; from now on it must exist. */
export async function markCreated(folder: string): Promise<void> {
  const state = await readFile(join(folder, stateFile), 'utf8').catch(() => '')
  if (state.trim() !== 'made') await writeState(folder, 'made')
}
