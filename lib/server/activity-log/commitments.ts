import { createHmac, randomBytes } from 'node:crypto'
import type { Json } from './canonical-json'

/*
 * A row's hash covers a salted hash of each text in its details, not the text: a text can be erased, its hash stays, and
 * the chain holds (docs/decisions/0139-people-are-erased.md).
 */

/**
 * The salts of a row's texts, 64 hex digits each, by the text's path. Under `''` the one from which all others derive;
 * once a text was erased, only those of the texts that are left, so that nobody can try values against its hash.
 */
export type TextSalts = Readonly<Record<string, string>>

/** An erased text: the hash that its row has committed to. */
export type ErasedText = { readonly erased: string }

export function isErasedText(value: unknown): value is ErasedText {
  if (typeof value !== 'object' || value === null) return false
  const [[name, hash] = [], ...others] = Object.entries(value)
  return others.length === 0 && name === 'erased' && typeof hash === 'string' && /^[0-9a-f]{64}$/u.test(hash)
}

export function createTextSalts(): TextSalts {
  return { '': randomBytes(32).toString('hex') }
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

/** A member's path as a JSON pointer (RFC 6901). */
const memberPath = (path: string, name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The salt of the text at a path. Throws if there is none: the text was put in after the row was written. */
function findSalt(salts: TextSalts, path: string): string {
  const { '': root } = salts
  const salt = root === undefined ? salts[path] : hmac(root, path)
  if (salt === undefined) throw new Error('a text without a salt')
  return salt
}

/** Guarantee: arrays and records are told apart by Array.isArray alone. */
const isList = (value: object): value is readonly Json[] => Array.isArray(value)

/** Replaces each text of details that is not erased; paths and order stay. */
function mapTexts(value: Json, change: (text: string, path: string) => Json, path = ''): Json {
  if (typeof value === 'string') return change(value, path)
  if (value === null || typeof value !== 'object' || isErasedText(value)) return value
  if (isList(value)) return value.map((one, index) => mapTexts(one, change, memberPath(path, String(index))))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      one === undefined ? [] : [[name, mapTexts(one, change, memberPath(path, name))]],
    ),
  )
}

/** What a row's hash covers of its details. Throws if a text has no salt. */
export function commitTexts(details: Json, salts: TextSalts): Json {
  return mapTexts(details, (text, path) => ({ erased: hmac(findSalt(salts, path), text) }))
}

/** Whether a row's texts have been erased in part. */
export function countErasedTexts(details: Json): number {
  if (isErasedText(details)) return 1
  if (details === null || typeof details !== 'object') return 0
  return Object.values(details).reduce<number>((sum, one) => sum + countErasedTexts(one ?? null), 0)
}

type Erasure = { details: Json; salts: TextSalts | null; count: number }

/**
 * Erases the texts that `isMeant` names. Rows from before there were salts get the hash under a salt that is thrown away:
 * nothing was committed to, and their new content is recorded by a later row (see verifyRows).
 */
export function eraseTexts(
  details: Json,
  salts: TextSalts | null,
  isMeant: (text: string, path: string) => boolean,
): Erasure {
  const before = salts ?? createTextSalts()
  const left: Record<string, string> = {}
  let count = 0
  const erased = mapTexts(details, (text, path) => {
    if (isMeant(text, path)) {
      count += 1
      return { erased: hmac(findSalt(before, path), text) }
    }
    left[path] = findSalt(before, path)
    return text
  })
  return count === 0 ? { details, salts, count } : { details: erased, salts: salts && left, count }
}
