/** What parsing a JSON text would change without a word: its top-level name ('' if there is none), and why. */
export type Loss = { field: string; rule: string }

const numberPattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/uy
const colon = /[ \t\n\r]*:/uy

/** Index after the closing quote of the string that starts at `from`. */
function skipString(text: string, from: number): number {
  let index = from + 1
  while (text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1
  return index + 1
}

/** A number in one spelling: its digits without zeros around them, and the power of ten. */
function normalizeNumber(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/u, '')
  let end = digits.length
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1
  if (end === 0) return '0'
  const exponent = Number(power) - fraction.length + (digits.length - end)
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(0, end)}e${exponent}`
}

/** Whether a double says the number with the same digits. Any of 15 digits is kept. */
function isExact(text: string): boolean {
  return /^[-.\d]{1,15}$/u.test(text) || normalizeNumber(text) === normalizeNumber(String(Number(text)))
}

/**
 * The first thing of a valid JSON text that JSON.parse would not keep: of names that stand twice in an object it keeps the last,
 * and a number with more digits than a double holds it rounds.
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
        if (names?.has(name)) return { field, rule: open.length === 1 ? 'stands there twice' : 'holds a name twice' }
        names?.add(name)
      }
      index = end - 1
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      numberPattern.lastIndex = index
      const [number = ''] = numberPattern.exec(text) ?? []
      if (!isExact(number)) return { field, rule: 'holds a number with more digits than are kept' }
      index = numberPattern.lastIndex - 1
    }
  }
  return null
}
