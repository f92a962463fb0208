/**
 * The first line of a list of payments: the names of its columns, and which hold ids and reasons (-1: none). `width`: its
 * cells, with empty ones at the end. `isResult`: it is the one of a result that we wrote.
 */
export type ListHeading = {
  names: string[]
  idColumn: number
  reasonColumn: number
  width: number
  isResult: boolean
}

const normalize = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Names of a column with ids, normalized. */
const idName = /^(?:ids?|idorhandle|idellerhandle|(?:payments?|betalings?|betalinger)ids?)$/u

/** Names of a column with what may stand for an id, normalized, also as other programs write them. */
const referenceName =
  /^(?:handles?|references?|ref|(?:payments?|betalings?|betalinger|invoices?|faktura|reference|ref)(?:ids?|handles?|references?|ref|no|nr|number|nummer)?)$/u

/** Whole names of a column with reasons, normalized: a failure has a reason, too, and a credit note is none. */
const reasonName =
  /^(?:(?:cancell?ation|cancel|annullerings?)?(?:reason|årsag|grund)|reasonforcancell?ation|årsagtilannullering|reasongiven|angivetårsag|begrundelse|bemærkning(?:er)?|comments?|kommentar(?:er)?|notes?|noter)$/u
const plainReasonName = /^(?:cancellation)?reason$|^(?:annullerings)?årsag$|^grund$|^begrundelse$/u

/** How the headings of our results begin, normalized, in either language. */
const resultNames = /^(?:row given paymentid|række angivet betalingsid)$/u

/** Words of columns that hold something else, normalized. */
const otherName =
  /^(?:row|række|given|angivet|amount|beløb|sum|total|price|pris|currency|valuta|date|dato|due|duedate|forfald|forfaldsdato|state|status|mode|nr|nummer|number|text|tekst|description|beskrivelse|e?mail|(?:customer|kunde|debtor|debitor|payer|betaler|name|navn)s?(?:name|navn|id|no|nr|number|nummer)?)$/u

/** Of several reasons only one with a plain name counts. */
function findReason(names: readonly string[], idColumn: number): number {
  const found = [...names.keys()].filter((at) => at !== idColumn && reasonName.test(names[at] ?? ''))
  const plain = found.filter((at) => plainReasonName.test(names[at] ?? ''))
  const [only] = plain.length > 0 ? plain : found
  return only !== undefined && (plain.length === 1 || found.length === 1) ? only : -1
}

/**
 * Whether a line names columns that hold something else. Those that do have no digits. A word within a cell counts only
 * where another has one, too: `State Farm` is a name.
 */
function isOtherHeading(cells: readonly string[]): boolean {
  if (/\p{N}/u.test(cells.join(''))) return false
  const hasWord = (cell: string) => cell.split(/\s+/u).some((word) => otherName.test(normalize(word)))
  const isName = (cell: string) => otherName.test(normalize(cell)) || plainReasonName.test(normalize(cell))
  const [first = '', ...others] = cells
  return cells.some(isName) || (hasWord(first) && others.some(hasWord))
}

/**
 * Reads the first line of a list of payments by its cells: null where it names no columns, `unclear` where it seems to, but
 * not to name one that holds the ids.
 */
export function readListHeading(cells: readonly string[]): ListHeading | 'unclear' | null {
  const filled = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  const names = filled.map(normalize)
  const find = (pattern: RegExp) => [...names.keys()].filter((at) => pattern.test(names[at] ?? ''))
  const ids = find(idName)
  const found = ids.length > 0 ? ids : find(referenceName)
  const [idColumn] = found
  if (idColumn === undefined) return isOtherHeading(filled) ? 'unclear' : null
  // A first reason may be the word "Invoice".
  if (found.length > 1 || (idColumn > 0 && ids.length === 0 && !isOtherHeading(filled))) return 'unclear'
  const isResult = resultNames.test(names.slice(0, 3).join(' '))
  return { names: filled, idColumn, reasonColumn: findReason(names, idColumn), width: cells.length, isResult }
}
