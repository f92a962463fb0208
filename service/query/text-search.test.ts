import { expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { accents, foldAccents, foldText } from '@/lib/api-contract/fold-text'
import { containsText, grams } from './text-search'

test('trigrams count characters, not code units, and each once', () => {
  expect(grams('ab')).toEqual([])
  expect(grams('abcabc')).toHaveLength(3)
  expect(grams('a👨b')).toHaveLength(1)
  expect(grams('Åse Nørgård')).toEqual(grams('aase norgaard'))
  expect(grams('ΜΑΡΚΟΣΙΑ')).toEqual(expect.arrayContaining(grams('ΜΑΡΚΟΣ')))
})

const texts = [
  'Åse Nørgård',
  'Kjær',
  'Groß & Söhne',
  'Łukasz',
  'ab',
  'ΜΑΡΚΟΣ',
  'Μάρκοσια ΜΑΡΚΟΣΙΑ',
  '',
  'a👨‍👩‍👧b c',
  '漢字テスト',
  accents.from,
  accents.pairs.flat().join(''),
]

test('the database writes text without accents as the code does', async () => {
  const client = new PGlite()
  const db = drizzle(client)
  const table = pgTable('texts', { one: text('one').notNull() })
  await client.exec('create table texts (one text)')
  await db.insert(table).values(texts.map((one) => ({ one: foldText(one) })))
  for (const one of texts) {
    const found = await db.select().from(table).where(containsText(table.one, one.toUpperCase()))
    const expected = texts.filter((other) => foldAccents(other).includes(foldAccents(one.toUpperCase())))
    expect(found.map((row) => row.one).toSorted()).toEqual(expected.map(foldText).toSorted())
  }
  await client.close()
})

test('the migration makes the trigrams that the code makes', async () => {
  const source = await readFile('service/store/migrations/0009_final-sigma.sql', 'utf8')
  const client = new PGlite()
  await client.exec(source.split('--> statement-breakpoint')[0] ?? '')
  for (const one of texts) {
    const { rows } = await client.query<{ made: number[] }>('select make_grams($1, $2) as made', [
      foldText(one),
      'ref-1',
    ])
    expect(new Set(rows[0]?.made)).toEqual(new Set(grams(one, 'ref-1')))
  }
  await client.close()
})
