import { parse } from 'secure-json-parse'

const deepest = 64

/** What a record must not say twice: which of the two is meant would be a guess about money. */
const watched = ['"id"', '"status"', '"amount"', '"currency"']

/** Where the string that begins at a quote ends, past its closing quote. */
function skipString(text: string, from: number): number {
  let index = from + 1
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1
  return index + 1
}

/** Looks over a JSON text once, without recursion: how deep it nests, and whether a watched key stands twice. */
function assertSound(text: string): void {
  // One bit per watched key, for each record that is open.
  const seen: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
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
      if (seen.push(0) > deepest) throw new SyntaxError(`JSON nests deeper than ${deepest} levels`)
    } else if (code === 0x5d || code === 0x7d) seen.pop()
  }
}

/**
 * Parses JSON from outside: keys that could change a prototype are dropped; nesting past 64 levels is refused,
 * for what walks the value later is recursive, and so is a record with two ids, states, amounts or currencies. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  assertSound(text)
  return parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' })
}
