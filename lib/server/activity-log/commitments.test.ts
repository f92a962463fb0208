import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { activity } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { appendActivity } from './append'
import { eraseTexts } from './commitments'
import { type ChainedRow, genesisHash, hashEntry, hashRewritten, REWRITTEN_ACTION, verifyRows } from './hash-chain'

let store: OpenDatabase
let rows: ChainedRow[]

const entry = { connectionId: 'default', actor: 'ann@example.com', objectKind: 'payment', objectId: 'p' }
const details = { text: 'Anna Sørensen asked', seen: { amount: 100, status: 'Pending' }, evidence: { reply: ['Anna'] } }

beforeAll(async () => {
  store = await openMemoryStore()
  for (const text of ['first', 'second', 'third'])
    await store.db.transaction((tx) =>
      appendActivity(tx, { ...entry, action: 'note.added', details: { ...details, other: text } }),
    )
})
beforeEach(async () => {
  rows = (await store.db.select().from(activity).orderBy(asc(activity.sequence))) as ChainedRow[]
})
afterAll(() => store.close())

const isAnna = (text: string) => text.includes('Anna')

function erase(row: ChainedRow): ChainedRow {
  const { details: left, salts } = eraseTexts(row.details, row.salts, isAnna)
  return { ...row, details: left, salts }
}

const replace = (row: ChainedRow) => rows.map((one) => (one.sequence === row.sequence ? row : one))

function second(): ChainedRow {
  const [, row] = rows
  if (!row) throw new Error('no row')
  return row
}

it('replaces a text with the hash that its row has committed to, and the chain holds', async () => {
  const row = erase(second())
  expect(row.details).toEqual({
    text: { erased: expect.stringMatching(/^[0-9a-f]{64}$/u) },
    seen: { amount: 100, status: 'Pending' },
    evidence: { reply: [{ erased: expect.stringMatching(/^[0-9a-f]{64}$/u) }] },
    other: 'second',
    outcome: 'done',
  })
  expect(Object.keys(row.salts ?? {}).toSorted()).toEqual(['/other', '/outcome', '/seen/status'])
  expect(await verifyRows(replace(row))).toMatchObject({ holds: true, count: 3, erased: 1, rewritten: 0 })
})

it.each<[string, (row: ChainedRow) => ChainedRow]>([
  [
    'another text in place of what was left',
    (row) => ({ ...row, details: { ...Object(row.details), other: 'forged' } }),
  ],
  ['a text in place of an erased one', (row) => ({ ...row, details: { ...Object(row.details), text: 'forged' } })],
  ['another hash', (row) => ({ ...row, details: { ...Object(row.details), text: { erased: '0'.repeat(64) } } })],
  ['a number that was changed', (row) => ({ ...row, details: { ...Object(row.details), seen: { amount: 1 } } })],
  [
    'a text that was added with a salt',
    (row) => ({
      ...row,
      details: { ...Object(row.details), more: 'x' },
      salts: { ...row.salts, '/more': '1'.repeat(64) },
    }),
  ],
  ['no salts', (row) => ({ ...row, salts: null })],
])('still finds %s', async (_, tamper) => {
  expect(await verifyRows(replace(tamper(erase(second()))))).toMatchObject({
    holds: false,
    sequence: 2,
    reason: 'altered',
  })
})

it('keeps no salt with which the erased text could be found by trying', () => {
  const before = second()
  const after = erase(before)
  expect(JSON.stringify(after)).not.toContain(before.salts?.[''])
})

it('accepts a row of before there were salts as it says since then, if a later row records that', async () => {
  const written = { ...entry, at: new Date(1_800_000_000_000), action: 'note.added', details, sequence: 1, salts: null }
  const old: ChainedRow = { ...written, previousHash: genesisHash, hash: hashEntry(genesisHash, written) }
  expect(await verifyRows([old])).toMatchObject({ holds: true, erased: 0 })
  const erased = erase(old)
  const record = {
    ...written,
    sequence: 2,
    action: REWRITTEN_ACTION,
    details: { rows: { 1: hashRewritten(erased) } },
  }
  const recorded: ChainedRow = { ...record, previousHash: old.hash, hash: hashEntry(old.hash, record) }
  expect(await verifyRows([erased])).toMatchObject({ holds: false, sequence: 1, reason: 'altered' })
  expect(await verifyRows([erased, recorded])).toMatchObject({ holds: true, count: 2, erased: 1, rewritten: 1 })
  const forged = { ...erased, details: { ...Object(erased.details), seen: { amount: 7 } } }
  expect(await verifyRows([forged, recorded])).toMatchObject({ holds: false, sequence: 1, reason: 'altered' })
})

it('lets the store change a row only where texts are erased, and then nothing else of it', async () => {
  const change = (set: Partial<typeof activity.$inferInsert>, isErasing: boolean) =>
    store.db.transaction(async (tx) => {
      if (isErasing) await tx.execute(sql`select set_config('debitdesk.erasing', 'on', true)`)
      await tx.update(activity).set(set).where(eq(activity.sequence, 2))
    })
  const { details: left, salts } = erase(second())
  const refused = { cause: { message: 'activity is append-only' } }
  await expect(change({ details: left, salts }, false)).rejects.toMatchObject(refused)
  await expect(change({ details: left, salts, actor: 'root' }, true)).rejects.toMatchObject(refused)
  await change({ details: left, salts }, true)
  await expect(change({ details: {} }, false)).rejects.toMatchObject(refused)
})
