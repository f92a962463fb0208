import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { verifyChain } from '../activity-log/hash-chain'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { BulkFixture } from '../testing/bulk-fixture'
import { storeServer } from '../testing/store-fixture'

/** Mounting a small disk needs root, and one in memory needs Linux. Only PGlite is stored in a folder. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux' && storeServer === undefined
const megabyte = 1_048_576

let disk: string

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'disk-'))
  if (canMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
})
afterEach(() => {
  if (canMount) execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

describe.skipIf(!canMount)('a bulk whose disk fills up in its middle (BK-09)', () => {
  test('sends nothing more, says why, and goes on by itself once there is room', async () => {
    const store = await openDatabase({ folder: join(disk, 'desk'), migrationsFolder: storeMigrations })
    await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
    const fixture = await BulkFixture.start(store)
    const payments = fixture.add(60)
    for (const payment of payments)
      fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 40 } })
    const bulk = await fixture.start(payments)
    await fixture.work()
    await fixture.watch(bulk, ({ settled }) => settled >= 10)
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - 2 * megabyte)))
    const full = await fixture.watch(bulk, (view) => view.wait?.code === 'store-full')
    expect(full.state).toBe('running')
    expect(full.settled).toBeLessThan(60)
    await wait(500)
    const sent = fixture.service.deletes.length
    await wait(1_500)
    expect(fixture.service.deletes).toHaveLength(sent)
    rmSync(join(disk, 'ballast'))
    expect(await fixture.watch(bulk)).toMatchObject({ wait: null, counts: { cancelled: 60 } })
    expect(fixture.service.deletes.filter(({ effective }) => effective)).toHaveLength(60)
    expect(await verifyChain(store.db)).toMatchObject({ holds: true })
    await fixture.rest()
    await fixture.close()
  })
})
