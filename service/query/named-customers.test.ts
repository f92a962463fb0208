import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldAccents } from '@/lib/api-contract/fold-text'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { findPaymentPage } from '../payments/list-payments'
import { seedDatabase } from '../seed/seed-database'
import { findNamedCustomers } from './prefilter'

let database: OpenDatabase
let merchantId: string

beforeAll(async () => {
  database = await openDatabase({ migrationsFolder: join(import.meta.dirname, '../store/migrations') })
  merchantId = await seedDatabase(database.db, 8_000, new Date('2026-11-20T10:00:00Z'))
})
afterAll(() => database.close())

type Row = { id: string; name: string; reference: string }

async function walk(filter?: string): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  do {
    const page = await findPaymentPage(database.db, merchantId, { filter, after, limit: 100 }, 'secret')
    rows.push(
      ...page.results.map(({ id, customer, reference }) => ({ id, name: foldAccents(customer.name), reference })),
    )
    after = page.nextOffset ?? undefined
  } while (after !== undefined)
  return rows
}

describe('a text in the customer name', () => {
  it.each([
    ['sen', 'many'],
    ['bjerregaard', 'few'],
    ['qqq', 'none'],
    ['sø', 'not looked up'],
  ])('%s means %s', async (text, expected) => {
    const named = await findNamedCustomers(database.db, merchantId, `contains(customer/name,'${text}')`)
    const found = named.get(text)
    const kind = found === undefined ? 'not looked up' : found === 'many' ? 'many' : found.length > 0 ? 'few' : 'none'
    expect(kind).toBe(expected)
  })

  it('finds the same payments whichever way they are searched', async () => {
    const everything = await walk()
    const cases: [string, (row: Row) => boolean][] = [
      ["contains(customer/name,'SEN')", ({ name }) => name.includes('sen')],
      ["contains(customer/name,'bjerregaard')", ({ name }) => name.includes('bjerregaard')],
      ["contains(customer/name,'sø')", ({ name }) => name.includes('so')],
      ["contains(customer/name,'qqq')", () => false],
      [
        "contains(customer/name,'bjerregaard') or contains(reference,'-0100') or contains(customer/name,'qqq')",
        ({ name, reference }) => name.includes('bjerregaard') || reference.includes('-0100'),
      ],
      [
        "contains(customer/name,'sen') and contains(customer/name,'anne')",
        ({ name }) => name.includes('sen') && name.includes('anne'),
      ],
    ]
    for (const [filter, holds] of cases) {
      expect({ filter, ids: (await walk(filter)).map(({ id }) => id) }).toEqual({
        filter,
        ids: everything.filter(holds).map(({ id }) => id),
      })
    }
  })

  it('never means the customer of another merchant', async () => {
    const stranger = '00000000-0000-4000-8000-000000000000'
    expect((await findNamedCustomers(database.db, stranger, "contains(customer/name,'sen')")).get('sen')).toEqual([])
  })

  it('leaves a filter that cannot be read to those who refuse it', async () => {
    expect(await findNamedCustomers(database.db, merchantId, "contains(customer/name,'sen'")).toEqual(new Map())
  })
})
