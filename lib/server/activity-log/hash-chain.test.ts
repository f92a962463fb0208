import { asc, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { activity } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { appendActivity } from './append'
import { type ChainedRow, verifyChain, verifyRows } from './hash-chain'

let store: OpenDatabase
let rows: ChainedRow[]
const length = 60

function append(number: number) {
  return store.db.transaction((tx) =>
    appendActivity(tx, {
      connectionId: 'default',
      at: new Date(1_800_000_000_000 + number),
      actor: `person-${number % 3}@debitdesk.example`,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: `payment-${number}`,
      details: { text: `Grund ${number} – "Æ" 🙂`, seen: { amount: number / 7, status: null }, unread: false },
    }),
  )
}

beforeAll(async () => {
  store = await openMemoryStore()
  await Promise.all(Array.from({ length }, (_, number) => append(number)))
  rows = (await store.db.select().from(activity).orderBy(asc(activity.sequence))) as ChainedRow[]
})

afterAll(() => store.close())

test('chains what writers append at once into one line without gap or fork', async () => {
  expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length }, (_, index) => index + 1))
  expect(await verifyChain(store.db)).toEqual({
    holds: true,
    count: length,
    head: rows.at(-1)?.hash,
    erased: 0,
    rewritten: 0,
  })
})

test('refuses to change, delete or empty what was written', async () => {
  await expect(store.db.update(activity).set({ actor: 'nobody' })).rejects.toMatchObject({
    cause: { message: 'activity is append-only' },
  })
  await expect(store.db.delete(activity)).rejects.toMatchObject({ cause: { message: 'activity is append-only' } })
  await expect(store.db.execute(sql`truncate activity`)).rejects.toMatchObject({
    cause: { message: 'activity is append-only' },
  })
})

type Tamper = {
  index: number
  other: number
  kind: 'text' | 'column' | 'details' | 'at' | 'hash' | 'delete' | 'swap' | 'insert'
  salt: string
}

function tamper(original: readonly ChainedRow[], { index, other, kind, salt }: Tamper): ChainedRow[] {
  const copy = original.map((row) => ({ ...row }))
  const row = copy[index]
  const partner = copy[other]
  if (!row || !partner) throw new Error('outside the log')
  switch (kind) {
    case 'text':
      row.actor += salt
      return copy
    case 'column': {
      const column = (['connectionId', 'actor', 'action', 'objectKind', 'objectId', 'previousHash'] as const)[other % 6]
      if (column) row[column] += salt
      return copy
    }
    case 'details':
      row.details = { ...(row.details as object), text: salt }
      return copy
    case 'at':
      row.at = new Date(row.at.getTime() - salt.length)
      return copy
    case 'hash':
      row.hash = row.hash.replace(/^./u, (digit) => (digit === 'f' ? '0' : 'f'))
      return copy
    case 'delete':
      return copy.toSpliced(index, 1)
    case 'swap':
      copy[index] = { ...partner, sequence: row.sequence }
      copy[other] = { ...row, sequence: partner.sequence }
      return copy
    default:
      return copy
        .toSpliced(index, 0, { ...row, objectId: salt })
        .map((each, position) => ({ ...each, sequence: position + 1 }))
  }
}

test('names the first bad row of 1,000 tampered logs out of 1,000', async () => {
  const last = length - 2
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        index: fc.integer({ min: 0, max: last }),
        other: fc.integer({ min: 0, max: last }),
        kind: fc.constantFrom('text', 'column', 'details', 'at', 'hash', 'delete', 'swap', 'insert'),
        salt: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
      }),
      async (change: Tamper) => {
        fc.pre(change.kind !== 'swap' || change.index !== change.other)
        const verdict = await verifyRows(tamper(rows, change))
        const first = change.kind === 'swap' ? Math.min(change.index, change.other) : change.index
        expect(verdict).toMatchObject({ holds: false, sequence: first + 1 })
      },
    ),
    { numRuns: 1_000 },
  )
})

test('finds a row altered in the store itself by somebody who may switch the guard off', async () => {
  await store.db.execute(sql`alter table activity disable trigger activity_append_only`)
  await store.db.execute(sql`update activity set details = jsonb_set(details, '{text}', '"other"') where sequence = 17`)
  expect(await verifyChain(store.db)).toMatchObject({ holds: false, sequence: 17, reason: 'altered' })
})
