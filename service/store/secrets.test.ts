import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { startService } from '../start-service'
import { at, testToken as token } from '../testing/test-service'
import { deriveSigningSecret } from '../webhooks/subscriptions'
import { decryptSecret, loadOrCreateSecret } from './secrets'
import { secrets } from './schema'

const migrationsFolder = join(process.cwd(), 'service/store/migrations')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  await copyMigratedFolder(folder, migrationsFolder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Subscribes at a service in the folder. Returns the subscription's id and secret. */
async function subscribe(): Promise<{ id: string; secret: string }> {
  const { url, close } = await startService({ port: 0, token, folder, seedPayments: 0 })
  const headers = { authorization: `Basic ${btoa(`${token}:`)}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ webhookUrl: 'https://93.184.215.14/hooks' })
  const reply: unknown = await (
    await fetch(`${url}/Merchants/webhooks/subscribe`, { method: 'POST', headers, body })
  ).json()
  await close()
  return { id: String(at(reply, 'id')), secret: String(at(reply, 'secret')) }
}

async function readStored(): Promise<Map<string, string>> {
  const { db, close } = await openDatabase({ folder, migrationsFolder })
  const rows = await db.select().from(secrets)
  await close()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

test('a signing secret is told once, and stands neither in the database nor in a log', async () => {
  const said: string[] = []
  for (const method of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void said.push(words.join(' ')))
  const { id, secret } = await subscribe()
  vi.restoreAllMocks()
  const key = (await readFile(join(folder, 'seal.key'), 'utf8')).trim()
  expect((await stat(join(folder, 'seal.key'))).mode & 0o777).toBe(0o600)
  const master = decryptSecret(key, 'webhook', (await readStored()).get('webhook') ?? '') ?? ''
  expect(deriveSigningSecret(master, id)).toBe(secret)
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const contents = await Promise.all(
    files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name))),
  )
  expect(contents.length).toBeGreaterThan(100)
  const bare = Buffer.from(secret.replace('whsec_', ''), 'base64')
  for (const hidden of [secret, secret.replace('whsec_', ''), master, bare, Buffer.from(master, 'base64url')])
    expect(contents.filter((content) => content.includes(hidden))).toEqual([])
  expect(said.join('\n')).not.toContain(secret)
})

test('with another key the service does not start, and with the first one its subscriptions keep their secrets', async () => {
  const first = await subscribe()
  const options = { port: 0, token, folder, seedPayments: 0 }
  await expect(startService({ ...options, secret: 'another secret of the settings here' })).rejects.toThrow(
    'were sealed under another SERVICE_SECRET',
  )
  const again = await subscribe()
  expect(again.secret).toBe('undefined')
  const master = decryptSecret(
    (await readFile(join(folder, 'seal.key'), 'utf8')).trim(),
    'webhook',
    (await readStored()).get('webhook') ?? '',
  )
  expect(deriveSigningSecret(master ?? '', first.id)).toBe(first.secret)
})

test('a secret that an earlier version kept plain stays the same and is sealed', async () => {
  const { db, close } = await openDatabase({ migrationsFolder })
  await db.insert(secrets).values({ name: 'webhook', value: 'plain-until-now' })
  expect(await loadOrCreateSecret(db, 'webhook', 'k'.repeat(32))).toBe('plain-until-now')
  const [row] = await db.select().from(secrets).where(eq(secrets.name, 'webhook'))
  expect(row?.value).toMatch(/^sealed:[\w-]+$/u)
  expect(await loadOrCreateSecret(db, 'webhook', 'k'.repeat(32))).toBe('plain-until-now')
  await close()
})
