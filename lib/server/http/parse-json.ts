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

const maxDigits = 15

/**
 * Counts the names in a JSON text, without recursion. Null where it holds what JSON.parse alone must not be trusted
 * with: nesting, names or text past their bounds, or digits that a double may not hold.
 */
function countNames(text: string, isReply: boolean): number | null {
  let digits = 0
  let total = 0
  // For each array or object that is open.
  const names: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x30 && code <= 0x39) {
      digits += 1
      if (digits > maxDigits && isReply) return null
      continue
    }
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
      // Outside of strings a colon follows a name, and nothing else.
      const count = (names.pop() ?? 0) + 1
      if (count > MAX_NAMES) return null
      names.push(count)
      total += 1
    }
  }
  return total
}

/** How many members the objects in a parsed value have; NaN where one is unsafe, or a number is not finite. */
function countMembers(value: unknown): number {
  if (typeof value === 'string') return 0
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  let count = 0
  if (Array.isArray(value)) for (const entry of value) count += countMembers(entry)
  else if (isRecord(value)) {
    // Parsed objects inherit nothing that is enumerable; a list of names or entries would cost as much again.
    for (const name in value) {
      const held = value[name]
      if (isUnsafe(name, held)) return Number.NaN
      count += 1 + countMembers(held)
    }
  }
  return count
}

function parseQuickly(text: string, isReply: boolean): { value: unknown } | null {
  const names = countNames(text, isReply)
  if (names === null) return null
  try {
    const value: unknown = JSON.parse(text)
    // Of members with one name JSON.parse keeps the last: then there are fewer members than names.
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
 * Parses JSON that is sent to us: taken as it stands or not at all. Throws JsonError for what is not JSON, for keys that could
 * change a prototype, names given twice with different values, nesting past 64 levels and objects of more than 10,000 names.
 */
export function parseJson(text: string): unknown {
  return parse(text, { faults: 'refuse' })
}

/**
 * Parses JSON that a service answered. What `parseJson` refuses, and texts past 100,000 characters, are left out and
 * noted at the records around them (`lib/api-contract/record-fields`). A number that a double cannot hold becomes its digits
 * as text: an id that is rounded is the id of something else. Throws JsonError for what is not JSON, and where the
 * fault lies in no record.
 */
export function parseReply(text: string, { isLossy = false } = {}): unknown {
  return parse(text, { faults: 'mark', isLossy })
}
