/*
 * Text in the forms in which it is compared. The desk compares loaded rows in the same way as the embedded service
 * compares its own, so that a search means the same wherever it runs.
 */

/** Whether nothing but the case of a text can change: so it is with most, which are folded by the hundred thousand. */
const isPlain = (text: string) => !/[^ -~]/u.test(text)

/**
 * The comparable form of text: Unicode NFC, lower case. `Åse`, `åse` and their decomposed spellings are equal. Done
 * here, because databases with different locales disagree about both.
 */
export function foldText(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return text.normalize('NFC').toLowerCase().normalize('NFC')
}

/** Letters that a keyboard without them writes as two: `aase` finds Åse. */
const pairs: Readonly<Record<string, string>> = { å: 'aa', æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' }

/** Letters with their plain one: `norgaard` finds Nørgaard. */
const plainLetters = [
  ['a', 'àáâãäāăąǎ'],
  ['c', 'çćĉċč'],
  ['d', 'ďđð'],
  ['e', 'èéêëēĕėęě'],
  ['g', 'ĝğġģ'],
  ['h', 'ĥħ'],
  ['i', 'ìíîïĩīĭįı'],
  ['j', 'ĵ'],
  ['k', 'ķ'],
  ['l', 'ĺļľŀł'],
  ['n', 'ñńņňŉ'],
  ['o', 'òóôõöøōŏő'],
  ['r', 'ŕŗř'],
  ['s', 'śŝşšș'],
  ['t', 'ţťŧț'],
  ['u', 'ùúûüũūŭůűų'],
  ['w', 'ŵ'],
  ['y', 'ýÿŷ'],
  ['z', 'źżž'],
  // Capital Σ becomes either, by what follows it.
  ['σ', 'ς'],
] as const

/** The letters above: each of `from` has its plain one at the same place in `to`; `pairs` are written as two. */
export const accents = {
  pairs: Object.entries(pairs),
  from: plainLetters.map(([, letters]) => letters).join(''),
  to: plainLetters.map(([plain, letters]) => plain.repeat(letters.length)).join(''),
}

const plain = new Map([
  ...accents.pairs,
  ...Array.from(accents.from, (letter, at) => [letter, accents.to[at] ?? letter] as const),
])
const accented = new RegExp(`[${[...plain.keys()].join('')}]`, 'gu')

/** Folded text without accents, letter by letter: what is contained in a text stays contained in it. */
export function foldAccents(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return foldText(text).replaceAll(accented, (letter) => plain.get(letter) ?? letter)
}
