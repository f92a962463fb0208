import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { appendActivity } from '../activity-log/append'
import { genesisHash, hashEntry, verifyChain } from '../activity-log/hash-chain'
import { defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { makeDatabase } from '../testing/store-fixture'
import { makeBackup } from './make-backup'
import { readManifest } from './manifest'
import { restoreBackup } from './restore-backup'
import { restoreFolder } from './restore-folder'
import { restorePostgres } from './restore-postgres'

/* The way to the next version and back, by the schema: the version before has all migrations but the last. */

let root: string
let postgres: TestPostgres
/** The migrations of the version before. */
let older: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'upgrade-'))
  postgres = await startPostgres()
  older = join(root, 'older')
  await cp(storeMigrations, older, { recursive: true })
  const path = join(older, 'meta/_journal.json')
  const journal: { entries: unknown[] } = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, -1) }))
})
afterAll(async () => {
  await postgres.stop()
  await rm(root, { recursive: true, force: true })
})

/** Rows as the first version wrote them, which every later one reads. */
async function fill(db: Database): Promise<void> {
  await db.execute(sql`insert into connections (connection_id, name) values ('default', 'Shop')`)
  let previousHash = genesisHash
  for (let sequence = 1; sequence <= 20; sequence += 1) {
    const about = { connectionId: 'default', actor: 'ann', action: 'view.save', objectKind: 'view', objectId: 'v' }
    const row = { sequence, at: new Date(1_790_000_000_000 + sequence), ...about, details: { sequence }, salts: null }
    const hash = hashEntry(previousHash, row)
    await db.execute(sql`
      insert into activity (sequence, connection_id, at, actor, action, object_kind, object_id, details, previous_hash, hash)
      values (${sequence}, 'default', ${row.at.toISOString()}, 'ann', 'view.save', 'view', 'v',
        ${JSON.stringify(row.details)}::jsonb, ${previousHash}, ${hash})`)
    previousHash = hash
  }
}

type Place = { url: string } | { folder: string }

async function within<Result>(
  place: Place,
  migrationsFolder: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase({ ...place, migrationsFolder })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

const places: [string, (name: string) => Promise<Place>][] = [
  ['PGlite', async (name) => ({ folder: join(root, name) })],
  ['Postgres 15', async () => ({ url: await makeDatabase(postgres.url) })],
]

it.each(places)(
  'a store on %s goes to the next version, and back by the backup from before',
  async (kind, makePlace) => {
    const place = await makePlace('store')
    await within(place, older, fill)
    const before = await makeBackup(place, join(root, `${kind}-before`))

    await within(place, storeMigrations, async (db) => {
      expect(await verifyChain(db)).toMatchObject({ holds: true, count: 20 })
      const entry = { connectionId: defaultConnectionId, actor: 'ann', action: 'view.save', objectKind: 'view' }
      await db.transaction((tx) => appendActivity(tx, { ...entry, objectId: 'new', details: {} }))
    })
    const after = await makeBackup(place, join(root, `${kind}-after`))
    expect(after.manifest.schema).toBeGreaterThan(before.manifest.schema)

    // The version before touches neither the newer store nor its backup.
    await expect(within(place, older, async () => undefined)).rejects.toThrow(/newer version of Debitdesk/u)
    const request = { migrationsFolder: older, replace: true, heads: [] }
    const newer = { ...request, backup: after.path, manifest: await readManifest(after.path), to: place }
    await expect(restoreBackup(newer)).rejects.toThrow(/newer version of Debitdesk/u)

    // Back: with its own schema, which is why its rows are read as it does.
    const back = { ...request, backup: before.path, manifest: await readManifest(before.path), to: place }
    const readLast = (db: Database) =>
      db.execute(sql`select sequence, hash from activity order by sequence desc limit 1`)
    const { sequence, hash } = before.manifest.activity
    const accept = async ({ db }: { db: Database }) => {
      const { rows } = Object(await readLast(db))
      expect(rows).toMatchObject([{ hash }])
    }
    const aside =
      'url' in place ? await restorePostgres(back, place.url, accept) : await restoreFolder(back, place.folder, accept)
    expect(aside).not.toBeNull()
    await within(place, older, async (db) => expect(Object(await readLast(db)).rows).toMatchObject([{ hash }]))

    // And forward again, from the backup alone.
    const next = await makePlace('next')
    const restored = await restoreBackup({ ...back, to: next, migrationsFolder: storeMigrations })
    expect(restored).toMatchObject({ count: sequence, head: hash, setAside: null })
    await within(next, storeMigrations, async (db) => {
      expect(await verifyChain(db)).toMatchObject({ holds: true, count: sequence + 1 })
    })
  },
)
