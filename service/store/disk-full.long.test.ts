import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { makeMigrations } from '@/lib/database/testing/make-migrations'
import { at, items, startTestService, type TestService, until } from '../testing/test-service'

/** Whether a small in-memory disk can be mounted: only by root, only on Linux. Only PGlite stores data in a folder. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux' && !process.env.SERVICE_TEST_DATABASE_URL
const megabyte = 1_048_576

let disk: string
let service: TestService | undefined

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'disk-'))
  if (canMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
})
afterEach(async () => {
  await service?.close()
  service = undefined
  if (canMount) execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

const ballast = () => join(disk, 'ballast')
const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize
const fillDisk = (left: number) => writeFileSync(ballast(), Buffer.alloc(Math.max(0, free() - left)))
/** Waits for the space too: a kernel may hand it back a moment after the file is gone. */
async function makeRoom(): Promise<void> {
  for (const name of ['ballast', 'more']) rmSync(join(disk, name), { force: true })
  await until('the space to be free', async () => (free() > 64 * megabyte ? true : undefined))
}
const start = () => startTestService({ folder: join(disk, 'service'), seedPayments: 50, cancelDelay: 10 })
const statesOf = async (running: TestService) =>
  new Map((await running.walk('/Payments')).map((row) => [String(at(row, 'id')), at(row, 'status')]))

describe.skipIf(!canMount)('on a full disk', () => {
  test('writes are refused with 503, reads go on, and nothing is lost once there is room again', async () => {
    service = await start()
    const running = service
    const { json } = await running.call('GET', `/Payments?filter=${encodeURIComponent("status eq 'Pending'")}`)
    const [first, second] = items(json).map((row) => String(at(row, 'id')))
    const cancel = (id: string | undefined) =>
      running.call('DELETE', `/Payments/${id}`, {
        body: { text: 'Asked by phone' },
        headers: { 'idempotency-key': `k-${id}` },
      })
    expect((await cancel(first)).status).toBe(202)
    await until('the first to be cancelled', async () =>
      (await statesOf(running)).get(first ?? '') === 'Cancelled' ? true : undefined,
    )
    const before = await statesOf(running)
    fillDisk(2 * megabyte)
    const refused = await cancel(second)
    expect([refused.status, at(refused.json, 'type'), at(refused.json, 'detail')]).toEqual([
      503,
      expect.stringMatching(/\/unavailable$/u),
      'The disk is full: nothing can be written now.',
    ])
    expect((await running.call('POST', '/Customers', { body: { name: 'Ann' } })).status).toBe(503)
    expect(await statesOf(running)).toEqual(before)
    await makeRoom()
    expect((await cancel(second)).status).toBe(202)
    await until('the second to be cancelled', async () =>
      (await statesOf(running)).get(second ?? '') === 'Cancelled' ? true : undefined,
    )
    await running.close()
    service = await start()
    expect(await statesOf(service)).toEqual(new Map(before).set(second ?? '', 'Cancelled'))
  })

  test('a start says what is wrong, whether it is the first or another one', async () => {
    fillDisk(20 * megabyte)
    await expect(start()).rejects.toThrow(
      /has too little room: \d+ MB are free, \d+ MB are needed\. Make room there\.$/u,
    )
    await makeRoom()
    await (await start()).close()
    fillDisk(20 * megabyte)
    await expect(start()).rejects.toThrow(/has too little room: \d+ MB are free/u)
    await makeRoom()
    service = await start()
    expect((await statesOf(service)).size).toBe(50)
  })

  test('that a single write outgrows, no later call hangs, and what was there before is there again', async () => {
    const migrationsFolder = await makeMigrations(disk, [['create table notes (id integer primary key, text text)']])
    const folder = join(disk, 'desk')
    const first = await openDatabase({ folder, migrationsFolder })
    await first.db.execute(sql`insert into notes values (1, 'before')`)
    fillDisk(34 * megabyte)
    const large = sql`insert into notes select n, repeat(md5(n::text), 30) from generate_series(2, 100000) as n`
    await expect(first.db.execute(large)).rejects.toMatchObject({ cause: { code: '53100' } })
    expect(await first.db.execute(sql`select text from notes`)).toMatchObject({ rows: [{ text: 'before' }] })
    // Another program fills the space reserved for the log when it needs its next segment, which PGlite does not survive.
    writeFileSync(join(disk, 'more'), Buffer.alloc(free()))
    const codes: unknown[] = []
    for (let round = 0; round < 20; round += 1) {
      const logged = sql`select pg_logical_emit_message(true, 'x', repeat('x', 2000000))`
      const answer: unknown = await first.db.execute(logged).catch((error: unknown) => error)
      codes.push(answer instanceof Error ? at(answer.cause, 'code') : null)
    }
    expect(codes.at(-1)).toBe('57P03')
    await first.close()
    await makeRoom()
    const second = await openDatabase({ folder, migrationsFolder })
    expect(await second.db.execute(sql`select text from notes`)).toMatchObject({ rows: [{ text: 'before' }] })
    await second.close()
  })
})
