import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { ExportFixture, makePayments, type PaymentSource } from '../testing/export-fixture'
import { readParts } from './export-parts'

const million = 1_000_000
const hour = 3_600_000
const megabyte = 1_048_576

const expected = new Map<string, { count: number; minor: bigint }>()
const held: number[] = []
let made = 0
let folder: string
let store: OpenDatabase

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Heap in use after a garbage collection, in MB. */
function measure(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / megabyte
}

const kinds = makePayments(1_000)

/** The payment at a position: one of 1,000 kinds, with its own id and amount. */
function makeAt(place: number): PaymentSource {
  const id = `${place.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  return { ...kinds[place % kinds.length], id, amount: (place * 7_919_777_773) % Number.MAX_SAFE_INTEGER }
}

/** Serves each page once, and sums what is expected independently of the export. */
function slice(from = 0, to = million): PaymentSource[] {
  if (from !== made) throw new Error(`asked for ${from} after ${made}`)
  const page = Array.from({ length: Math.min(to, million) - from }, (_, index) => makeAt(from + index))
  made = from + page.length
  for (const { amount, currency, test } of page) {
    const key = `${String(currency)} ${test === true ? 'test' : 'live'}`
    const sum = expected.get(key) ?? { count: 0, minor: 0n }
    expected.set(key, { count: sum.count + 1, minor: sum.minor + BigInt(Number(amount)) })
  }
  fixture.requests.length = 0
  if (from % 100_000 === 0) held.push(measure())
  return page
}

const fixture = new ExportFixture({ length: million, slice })

beforeAll(async () => {
  // An in-memory store would hold the file there.
  folder = await mkdtemp(join(tmpdir(), 'export-'))
  store = await openDatabase({ folder, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  await fixture.useStore(store)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('of a million payments is whole, its sums are exact, and memory stays flat (DC-04)', { timeout: hour }, async () => {
  const row = await fixture.run()
  expect(row).toMatchObject({ state: 'complete', reason: null, rows: million })
  const told = new Map(
    row.sums.map(({ currency, mode, count, minor }) => [`${currency} ${mode}`, { count, minor: BigInt(minor ?? -1) }]),
  )
  expect(told).toEqual(expected)
  const hash = createHash('sha256')
  let lines = 0
  for await (const { text } of readParts(store.db, row)) {
    hash.update(text)
    lines += text.match(/^[0-9a-f]{8}-0000-4000-8000-0{12},/gmu)?.length ?? 0
  }
  expect(lines).toBe(million)
  expect(hash.digest('hex')).toBe(row.sha256)
  // The first tenth fills the memory for seen rows; from then on nothing grows.
  const [, second = 0] = held
  expect(Math.max(...held.slice(2)) - second).toBeLessThan(30)
})
