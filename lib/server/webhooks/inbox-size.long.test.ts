import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { openInbox } from './inbox'
import { receiveMessage } from './receive-message'

const deliveries = 5_000
const megabyte = 1_000_000
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

async function measure(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? measure(path) : (await stat(path)).size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('the folder of PGlite does not grow with the deliveries', { timeout: 600_000 }, async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'))
  folders.push(folder)
  const store = await openDatabase({ folder, migrationsFolder: storeMigrations })
  globalThis.debitdeskStore = Promise.resolve(store)
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  const inbox = await openInbox(store.db, defaultConnectionId)
  const sizes: number[] = [await measure(folder)]
  for (let number = 1; number <= deliveries; number += 1) {
    globalThis.debitdeskRates = undefined
    const body = randomBytes(10_000).toString('hex')
    await receiveMessage(store.db, inbox, new Request('http://desk/', { method: 'POST', body }))
    if (number % 500 === 0) sizes.push(await measure(folder))
  }
  await store.close()
  // On 2026-11-25: 41 MB, then 65 MB at most; before the space was reclaimed, 270 MB.
  const [empty = 0, ...later] = sizes
  expect(later).toHaveLength(10)
  expect(Math.max(...later)).toBeLessThan(empty + 60 * megabyte)
})
