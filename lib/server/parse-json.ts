import { parse } from 'secure-json-parse'

const deepest = 64
/** V8 takes a second for a record of some hundred thousand names, and nobody else is served meanwhile. */
const mostNames = 10_000

/** What a record must not say twice: which of the two is meant would be a guess about money. */
const watched = ['"id"', '"status"', '"amount"', '"currency"', '"Id"', '"Status"', '"Amount"', '"Currency"']

/** Where the string that begins at a quote ends, past its closing quote. */
function skipString(text: string, from: number): number {
  const end = text.indexOf('"', from + 1)
  if (end < 0) return text.length
  // Hardly any string has a quote or a backslash in it.
  if (text.charCodeAt(end - 1) !== 0x5c) return end + 1
  let index = from + 1
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1
  return index + 1
}

/**
 * Looks over a JSON text once, without recursion: how deep it nests, how many names a record has, whether a watched one stands twice.
 * Answers whether it may hold a number of 16 digits or more.
 */
function assertSound(text: string): boolean {
  let digits = 0
  let hasLong = false
  // One bit per watched key, for each record that is open.
  const seen: number[] = []
  const names: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x30 && code <= 0x39) {
      digits += 1
      hasLong ||= digits > 15
      continue
    }
    digits = 0
    if (code === 0x22) {
      const end = skipString(text, index)
      const key = end - index > 10 ? -1 : watched.indexOf(text.slice(index, end))
      if (key >= 0 && /^\s*:/u.test(text.slice(end, end + 40))) {
        const bits = seen.pop() ?? 0
        if (bits & (1 << key)) throw new SyntaxError('JSON names a key twice')
        seen.push(bits | (1 << key))
      }
      index = end - 1
    } else if (code === 0x5b || code === 0x7b) {
      names.push(0)
      if (seen.push(0) > deepest) throw new SyntaxError(`JSON nests deeper than ${deepest} levels`)
    } else if (code === 0x5d || code === 0x7d) {
      seen.pop()
      names.pop()
    } else if (code === 0x3a) {
      // Outside of strings a colon follows a name, and nothing else.
      const count = (names.pop() ?? 0) + 1
      if (count > mostNames) throw new SyntaxError(`A record of JSON has more than ${mostNames} names`)
      names.push(count)
    }
  }
  return hasLong
}

const isNumeric = (code: number) => (code >= 0x30 && code <= 0x39) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].includes(code)

/** Puts quotes around whole numbers that a double would round: an id that is rounded is the id of something else. */
function quoteLongNumbers(text: string): string {
  const parts: string[] = []
  let done = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = skipString(text, index) - 1
    else if (isNumeric(code)) {
      const from = index
      while (isNumeric(text.charCodeAt(index + 1))) index += 1
      const written = text.slice(from, index + 1)
      if (!/^-?[1-9]\d*$/u.test(written) || Number.isSafeInteger(Number(written))) continue
      parts.push(text.slice(done, from), `"${written}"`)
      done = index + 1
    }
  }
  return parts.join('') + text.slice(done)
}

function parseSound(text: string): unknown {
  return parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' })
}

/**
 * Parses JSON from outside: keys that could change a prototype are dropped; nesting past 64 levels is refused,
 * for what walks the value later is recursive, and so is a record of more than 10,000 names, or with two ids, states,
 * amounts or currencies. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  assertSound(text)
  return parseSound(text)
}

/** Parses JSON as `parseJson` does; a whole number that a double cannot hold becomes its digits as text. */
export function parseExactly(text: string): unknown {
  return parseSound(assertSound(text) ? quoteLongNumbers(text) : text)
}
