import { isExactNumber } from './exact-number'

/**
 * What parsing a JSON text would change without a word: `name`, which stands twice in an object, or `number`; and the
 * top-level name it is under, '' if there is none. `isInside`: not that name itself.
 */
export type Loss = { field: string; isInside: boolean } & ({ name: string } | { number: string })

const numberPattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/uy
const colon = /[ \t\n\r]*:/uy

/** Index after the closing quote of the string that starts at `from`. */
function skipString(text: string, from: number): number {
  let index = from + 1
  while (text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1
  return index + 1
}

/**
 * The first thing of a valid JSON text that JSON.parse would not keep: of names that stand twice in an object it keeps the last,
 * and a whole number that a double doesn't hold it rounds.
 */
export function findLoss(text: string): Loss | null {
  // The names of each open object; null for an array.
  const open: (Set<string> | null)[] = []
  let field = ''
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(null)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = skipString(text, index)
      colon.lastIndex = end
      if (colon.test(text)) {
        const name = String(JSON.parse(text.slice(index, end)))
        if (open.length === 1) field = name
        const names = open.at(-1)
        if (names?.has(name)) return { field, isInside: open.length > 1, name }
        names?.add(name)
      }
      index = end - 1
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      numberPattern.lastIndex = index
      const [number = ''] = numberPattern.exec(text) ?? []
      if (!isExactNumber(number)) return { field, isInside: true, number }
      index = numberPattern.lastIndex - 1
    }
  }
  return null
}
