/**
 * The comparable form of text: Unicode NFC, lower case. `Åse`, `åse` and their decomposed spellings are equal. Done
 * here, because databases with different locales disagree about both.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC')
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
 * The distinct trigrams of folded texts, hashed to 32-bit integers for a GIN index. Text of fewer than three characters
 * has none. Hashes can collide, so every match must be checked again.
 */
export function grams(...folded: string[]): number[] {
  const found = new Set<number>()
  for (const text of folded) {
    const letters = Array.from(text)
    for (let index = 0; index + 3 <= letters.length; index += 1)
      found.add(hash(letters.slice(index, index + 3).join('')))
  }
  return [...found]
}
