import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { appendActivity } from '../activity-log/append'
import { verifyChain } from '../activity-log/hash-chain'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { makeDatabase } from '../testing/store-fixture'

const programs = ['pg_dump', 'pg_restore', 'openssl']
const canRun = programs.every((name) => spawnSync(name, [name === 'openssl' ? 'version' : '--version']).status === 0)

let folder: string
let postgres: TestPostgres
let url: string

const openssl = (command: string) => execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })

/** Lets the server take connections by TLS alone. */
async function requireTls(): Promise<void> {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  for (const name of ['ca', 'other'])
    openssl(`req -x509 ${key} -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`)
  openssl(`req ${key} -subj /CN=postgres -addext subjectAltName=IP:127.0.0.1 -keyout own.key -out own.csr`)
  openssl('x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out own.pem')
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:postgres', folder])
  chmodSync(join(folder, 'own.key'), 0o600)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`alter system set ssl_cert_file = '${join(folder, 'own.pem')}'`)
  await client.query(`alter system set ssl_key_file = '${join(folder, 'own.key')}'`)
  await client.query('alter system set ssl = on')
  const { rows } = await client.query<{ hba_file: string }>('show hba_file')
  writeFileSync(rows[0]?.hba_file ?? '', 'hostssl all all all password\n')
  await client.query('select pg_reload_conf()')
  await client.end()
}

beforeAll(async () => {
  if (!canRun) return
  folder = await mkdtemp(join(tmpdir(), 'backups-tls-'))
  postgres = await startPostgres()
  url = await makeDatabase(postgres.url)
  await requireTls()
})
afterAll(async () => {
  await postgres?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

type Ended = { code: number; errors: string }

function run(name: 'backup' | 'restore', args: readonly string[], DATABASE_URL: string): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'production' as const, DATA_DIR: folder, DATABASE_URL }
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/run.mjs', 'program', name, ...args], { env }, (error, _output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, errors }),
    ),
  )
}

describe.skipIf(!canRun)('with a Postgres that takes TLS alone', () => {
  it('a store is backed up and restored, and the log verifies', async () => {
    const secure = `${url}?sslmode=verify-full&sslrootcert=${join(folder, 'ca.pem')}`
    const store = await openDatabase({ url: secure, migrationsFolder: storeMigrations })
    await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Shop' })
    const entry = { connectionId: defaultConnectionId, actor: 'ann', action: 'view.save', objectKind: 'view' }
    for (const objectId of ['v1', 'v2'])
      await store.db.transaction((tx) => appendActivity(tx, { ...entry, objectId, details: {} }))
    await store.close()
    const backups = join(folder, 'backups')
    expect(await run('backup', [backups], secure)).toEqual({ code: 0, errors: '' })
    const [made = ''] = await readdir(backups)
    expect(await run('restore', [join(backups, made), '--replace'], secure)).toMatchObject({ code: 0 })
    const restored = await openDatabase({ url: secure, migrationsFolder: storeMigrations })
    // Two, and that of the restore.
    expect(await verifyChain(restored.db)).toMatchObject({ holds: true, count: 3 })
    await restored.close()
  })

  it('one whose certificate is of another authority is refused, and no backup stays', async () => {
    const foreign = `${url}?sslmode=verify-full&sslrootcert=${join(folder, 'other.pem')}`
    const refused = await run('backup', [join(folder, 'none')], foreign)
    expect(refused.code).toBe(1)
    expect(refused.errors).toContain('UNABLE_TO_VERIFY')
    expect(refused.errors.trim().split('\n')).toHaveLength(1)
    expect(await readdir(join(folder, 'none')).catch(() => [])).toEqual([])
  })

  it('an address without TLS is refused in one line', async () => {
    const { code, errors } = await run('backup', [join(folder, 'none')], url)
    expect(code).toBe(1)
    // The SQLSTATE of a server whose rules refuse a connection.
    expect(errors).toContain('28000')
    expect(errors.trim().split('\n')).toHaveLength(1)
  })
})
