import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { accents, foldAccents } from '@/lib/api-contract/fold-text'

/** A column of folded text without accents, as `foldAccents` writes it. */
function columnWithoutAccents(column: PgColumn): SQL {
  const letters = sql`translate(${column}, ${sql.raw(`'${accents.from}'`)}, ${sql.raw(`'${accents.to}'`)})`
  return accents.pairs.reduce(
    (text, [letter, pair]) => sql`replace(${text}, ${sql.raw(`'${letter}'`)}, ${sql.raw(`'${pair}'`)})`,
    letters,
  )
}

/** Whether a column of folded text contains `text`, regardless of case and accents. */
export function containsText(column: PgColumn, text: string): SQL {
  return sql`strpos(${columnWithoutAccents(column)}, ${foldAccents(text)}::text) > 0`
}

/** FNV-1a over the UTF-16 code units of a trigram, as a signed 32-bit integer. */
function hash(gram: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < gram.length; index += 1) {
    value = Math.imul(value ^ gram.charCodeAt(index), 0x01000193)
  }
  return value | 0
}

/**
 * The distinct trigrams of texts without case and accents, hashed to 32-bit integers for a GIN index. Text of fewer than three characters
 * has none. Hashes can collide, so every match must be checked again.
 */
export function grams(...texts: string[]): number[] {
  const found = new Set<number>()
  for (const text of texts) {
    const letters = Array.from(foldAccents(text))
    for (let index = 0; index + 3 <= letters.length; index += 1)
      found.add(hash(letters.slice(index, index + 3).join('')))
  }
  return [...found]
}
