import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { cancellations, connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { askFor } from '../testing/ledger-fixture'
import { storeServer } from '../testing/store-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '../testing/payment-ledger-service'
import { makeActor, makeTestLedger, settleLedger } from '../testing/test-ledger'
import { recover } from './worker'
import { requestCancellation } from './request-cancellation'

/** Mounting a small disk needs root, and one in memory needs Linux. Only PGlite is stored in a folder. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux' && storeServer === undefined
const megabyte = 1_048_576

let disk: string
let service: PaymentLedgerService

beforeAll(async () => {
  service = await startPaymentLedgerService()
})
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'disk-'))
  if (canMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
})
afterEach(() => {
  if (canMount) execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})
afterAll(() => service.close())

const ballast = () => join(disk, 'ballast')
function fillDisk(): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast(), Buffer.alloc(Math.max(0, bavail * bsize - 2 * megabyte)))
}
const open = () => openDatabase({ folder: join(disk, 'desk'), migrationsFolder: storeMigrations })

describe.skipIf(!canMount)('on a full disk (CX-19, ST-04)', () => {
  test('nothing is sent, reads go on, and what was asked before is carried out once there is room', async () => {
    const store = await open()
    await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
    const ledger = makeTestLedger(store, service.url)
    const [before, during] = [service.add(), service.add()]
    // The disk fills up between the request and its outcome.
    service.next(before, { after: fillDisk })
    const { cancellation } = await requestCancellation(ledger, makeActor(), askFor(before))
    expect(cancellation).toMatchObject({ outcome: 'unknown', closed: false })
    await expect(requestCancellation(ledger, makeActor(), askFor(during))).rejects.toMatchObject({
      code: 'store-unavailable',
      status: 503,
    })
    expect(service.deletes.filter(({ paymentId }) => paymentId === during.id)).toEqual([])
    expect(await store.db.$count(cancellations)).toBe(1)
    rmSync(ballast())
    const { cancellation: later } = await requestCancellation(ledger, makeActor(), askFor(during))
    await store.close()
    const again = await open()
    const reopened = { ...ledger, db: again.db }
    expect(await settleLedger(reopened, later.id)).toMatchObject({ state: 'cancelled' })
    await recover(reopened)
    expect(await settleLedger(reopened, cancellation.id)).toMatchObject({ state: 'cancelled' })
    await again.close()
    expect(service.deletes.map(({ effective }) => effective)).toEqual([true, true])
  })
})
