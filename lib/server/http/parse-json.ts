import { isRecord } from '@/lib/api-contract/record-fields'
import {
  isUnsafe,
  type JsonRules,
  MAX_DEPTH,
  MAX_NAMES,
  MAX_TEXT_LENGTH,
  parseTolerantJson,
  skipString,
} from './tolerant-json'

const MAX_DIGITS = 15

/**
 * Counts the names in a JSON text, without recursion. Null when JSON.parse alone is unsafe for it: nesting, names or text
 * beyond their limits, or numbers beyond a double's precision.
 */
function countNames(text: string, isReply: boolean): number | null {
  let digits = 0
  let total = 0
  // One count per open container.
  const names: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x30 && code <= 0x39) {
      digits += 1
      if (digits > MAX_DIGITS) return null
      continue
    }
    // The point of a fraction, or an `e` before an exponent.
    if (digits > 0 && !isReply && (code === 0x2e || (code | 0x20) === 0x65)) return null
    digits = 0
    if (code === 0x22) {
      const end = skipString(text, index)
      if (end - index > MAX_TEXT_LENGTH && isReply) return null
      index = end - 1
    } else if (code === 0x5b || code === 0x7b) {
      if (names.push(0) > MAX_DEPTH) return null
    } else if (code === 0x5d || code === 0x7d) {
      names.pop()
    } else if (code === 0x3a) {
      // Outside strings a colon always follows a name.
      const count = (names.pop() ?? 0) + 1
      if (count > MAX_NAMES) return null
      names.push(count)
      total += 1
    }
  }
  return total
}

/** The number of members of all objects in a parsed value; NaN for an unsafe name or a number that isn't finite. */
function countMembers(value: unknown): number {
  if (typeof value === 'string') return 0
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  let count = 0
  if (Array.isArray(value)) for (const entry of value) count += countMembers(entry)
  else if (isRecord(value)) {
    // Parsed objects inherit nothing enumerable; an array of names or entries would double the cost.
    for (const name in value) {
      const member = value[name]
      if (isUnsafe(name, member)) return Number.NaN
      count += 1 + countMembers(member)
    }
  }
  return count
}

function parseQuickly(text: string, isReply: boolean): { value: unknown } | null {
  const names = countNames(text, isReply)
  if (names === null) return null
  try {
    const value: unknown = JSON.parse(text)
    // Of repeated names JSON.parse keeps the last, which leaves fewer members than names.
    return countMembers(value) === names ? { value } : null
  } catch {
    return null
  }
}

function parse(text: string, rules: JsonRules): unknown {
  const quick = rules.isLossy ? null : parseQuickly(text, rules.faults === 'mark')
  return quick ? quick.value : parseTolerantJson(text, rules)
}

/**
 * Parses JSON sent to us, strictly. Throws JsonError for invalid JSON, keys that could change a prototype, names repeated
 * with different values, whole numbers that a double would round, nesting deeper than 64 and objects with more than
 * 10,000 names.
 */
export function parseJson(text: string): unknown {
  return parse(text, { faults: 'refuse' })
}

/**
 * Parses JSON replied by a service. What `parseJson` refuses, and texts over 100,000 characters, is left out and noted on
 * the records around it (`lib/api-contract/record-fields`). Numbers beyond a double's precision become text with the same
 * digits, since a rounded id is another record's. Throws JsonError for invalid JSON and for faults outside any record.
 */
export function parseReply(text: string, { isLossy = false } = {}): unknown {
  return parse(text, { faults: 'mark', isLossy })
}
