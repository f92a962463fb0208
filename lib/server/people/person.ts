import { isRecord } from '@/lib/api-contract/record-fields'
import { idKey } from '@/lib/domain/ids'
import { erasedText, MIN_SEARCHED_LENGTH, type PersonRequest } from '@/lib/domain/people'
import { toStorable } from '../store/to-storable'

/** What a person is recognised by in the store. */
export type Person = {
  connectionId: string
  /** `idKey`s of the customer and of their mandates and payments, handles included. */
  ids: ReadonlySet<string>
  /** The customer number and the name, in comparable form; '' if unknown. */
  number: string
  name: string
  /** The values that texts are searched for, and those too short for it. */
  searched: readonly string[]
  tooShort: readonly string[]
  pattern: RegExp | null
  /** Finds the ids that texts can't be cut into words for. */
  idPattern: RegExp | null
}

/** Comparable: composed, in lower case, single spaces. */
export const fold = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ').toLowerCase()

const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)

/** What may stand between the words of a value: spaces, in names of files and in addresses other signs. */
const BETWEEN_WORDS = String.raw`(?:[\s_+.,]|%20)+`

/** Right after an escaped sign of an address. */
const AFTER_ESCAPE = String.raw`(?<=%[\da-fA-F]{2})`

/** A word as it is and as an address (URL) writes it. */
function toWord(word: string): string {
  const encoded = encodeURIComponent(word.toWellFormed())
  return encoded === word ? escape(word) : `(?:${escape(word)}|${escape(encoded)})`
}

/** A value in its own order, and with its last word first: `Holm, Anna`. */
function toOrders(value: string): string[] {
  const words = value.split(/\s+/u).map(toWord)
  const [last = '', ...others] = [...words.slice(-1), ...words.slice(0, -1)]
  const reversed = [last, others.join(BETWEEN_WORDS)].join(String.raw`,\s*`)
  return [words.join(BETWEEN_WORDS), ...(others.length > 0 ? [reversed] : [])]
}

/**
 * Whole words only: `Ann` is not in `Anna`, nor number 4711 in 47110. A genitive's s belongs to the word, as in Danish, German
 * and English. In an address a word may follow an escaped sign.
 */
function toPattern(values: readonly string[]): RegExp | null {
  if (values.length === 0) return null
  const longestFirst = values.toSorted((one, other) => other.length - one.length)
  const start = String.raw`(?:(?<![\p{L}\p{N}])|${AFTER_ESCAPE})`
  const end = String.raw`(?:['’]?s)?(?![\p{L}\p{N}])`
  return new RegExp(`${start}(?:${longestFirst.flatMap(toOrders).join('|')})${end}`, 'giu')
}

const MONTH_NAME =
  'jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch|ts)?|apr(?:il)?|ma[jy]|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|dec(?:ember)?'

/** The years of today's data, and .NET's first and last, which stand for none. */
const YEAR = String.raw`(?:(?:19|20)\d{2}|0001|9999)`
const MONTH = '(?:0?[1-9]|1[0-2])'
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`

/** Within a line, in names of files and in addresses. */
const SPACE = String.raw`(?:[^\S\n]|[_+]|%20)`
const COLON = '(?::|%3A)'
const COMMA = '(?:,|%2C)'
const DOT = String.raw`\.`

/** Numbers in a list are none: there the same sign stands before or behind, as in `4711,12,13`. */
const toAmount = (thousands: string, point: string) =>
  String.raw`(?<!\d${point})(?:\d{1,3}(?:${thousands}\d{3}){1,4}|\d+)${point}\d{2}(?!(?:${COMMA}|${DOT})[\p{L}\p{N}])`

/** UUIDs, days, times and amounts with decimals: digits in them are nobody's number. */
const MACHINE_WRITTEN = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])|${AFTER_ESCAPE})(?:${[
    String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`,
    String.raw`${YEAR}-${MONTH}-${DAY}(?:T|${SPACE})\d{2}${COLON}\d{2}(?:${COLON}\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`,
    String.raw`${YEAR}[./-]${MONTH}[./-]${DAY}`,
    String.raw`(?:${DAY}[./-]${MONTH}|${MONTH}[./-]${DAY})(?:[./-]|\.?${SPACE})${YEAR}`,
    String.raw`(?:${MONTH_NAME})\.?(?:-|${SPACE})(?:${DAY},?${SPACE})?${YEAR}`,
    toAmount(DOT, COMMA),
    toAmount(COMMA, DOT),
  ].join('|')})(?![\p{L}\p{N}])`,
  'giu',
)

/** What most ids consist of: texts are cut into such words, which are looked up however many ids there are. */
const WORD = /[\w-]+/gu

/**
 * Other ids as they are and as an address writes them: whole, whatever they hold. Plain alternatives, without groups, which V8
 * compares by what they have in common: payments may have thousands.
 */
function toIdPattern(ids: ReadonlySet<string>): RegExp | null {
  const others = [...ids].filter((id) => id.replace(WORD, '') !== '').map((id) => id.normalize('NFC'))
  if (others.length === 0) return null
  const start = String.raw`(?:(?<![\p{L}\p{N}_-])|${AFTER_ESCAPE})`
  const encoded = others.map((id) => encodeURIComponent(id.toWellFormed()))
  return new RegExp(`${start}(?:${[...others, ...encoded].map(escape).join('|')})(?![\\p{L}\\p{N}_-])`, 'u')
}

type Known = { ids: readonly (string | null)[]; values: readonly (string | null)[] }

/** Texts, and how the store keeps those that it can't hold as they are. */
function withStored(texts: readonly (string | null)[]): (string | null)[] {
  return [...new Set([...texts, ...texts.map(toStorable)])]
}

/** The person of a request, with what the upstream API knows in addition. */
export function makePerson(
  connectionId: string,
  request: PersonRequest,
  known: Known = { ids: [], values: [] },
): Person {
  const { customer, name, number, addressLine1, addressLine2, others, ids } = request
  const all = withStored([name, number, addressLine1, addressLine2, ...others, ...known.values])
  const values = [
    ...new Map(all.flatMap((one) => (one?.trim() ? [[fold(one), one.normalize('NFC').trim()]] : []))).values(),
  ]
  const searched = values.filter((one) => fold(one).length >= MIN_SEARCHED_LENGTH)
  const allIds = new Set(withStored([customer, ...ids, ...known.ids]).flatMap((id) => (id ? [idKey(id)] : [])))
  return {
    connectionId,
    ids: allIds,
    name: fold(name),
    number: fold(number),
    searched,
    tooShort: values.filter((one) => !searched.includes(one)),
    pattern: toPattern(searched),
    idPattern: toIdPattern(allIds),
  }
}

export const isOwnId = ({ ids }: Person, id: string | null | undefined) => Boolean(id) && ids.has(idKey(id ?? ''))

/** The person's values in a composed text. A part of what machines write is none: `2026` is not in `2026-11-28`. */
function findValues({ pattern }: Person, text: string): { start: number; end: number }[] {
  if (pattern === null || text.search(pattern) === -1) return []
  const toSpan = ({ index, 0: found }: RegExpExecArray) => ({ start: index, end: index + found.length })
  const wholes = [...text.matchAll(MACHINE_WRITTEN)].map(toSpan)
  let at = 0
  return [...text.matchAll(pattern)].map(toSpan).filter(({ start, end }) => {
    let whole = wholes[at]
    while (whole && whole.end < end) whole = wholes[(at += 1)]
    return !whole || start < whole.start || end - start === whole.end - whole.start
  })
}

/** Whether a text holds one of the person's values. */
export function namesPerson(person: Person, text: string): boolean {
  return findValues(person, text.normalize('NFC')).length > 0
}

/** Whether a text holds one of the person's ids. */
function holdsId(person: Person, text: string): boolean {
  return (
    (text.match(WORD) ?? []).some((word) => isOwnId(person, word)) ||
    (person.idPattern?.test(text.normalize('NFC')) ?? false)
  )
}

/** Whether a text holds one of the person's values or ids. */
export function mentionsPerson(person: Person, text: string): boolean {
  return namesPerson(person, text) || holdsId(person, text)
}

/** Whether a text may mention the person once it is cut into its parts: a day or an amount in it may turn out to be none. */
export function mayMention(person: Person, text: string): boolean {
  return (person.pattern !== null && text.normalize('NFC').search(person.pattern) !== -1) || holdsId(person, text)
}

/** Members, columns and parameters that hold amounts and ids, also where others name them. */
const amountOrId = /amount|^(?:minor|sum|id)$/iu

/** Whether something in a value mentions the person. A number alone that is an amount or an id counts as an id only. */
export function isAboutPerson(person: Person, value: unknown, member = ''): boolean {
  const isFact = amountOrId.test(member)
  if (Array.isArray(value)) return value.some((one) => isAboutPerson(person, one, member))
  if (isRecord(value))
    return Object.entries(value).some(
      ([name, one]) => mentionsPerson(person, name) || isAboutPerson(person, one, isFact ? member : name),
    )
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const text = String(value)
  return isFact && /^[-\d.,]*$/u.test(text) ? holdsId(person, text) : mentionsPerson(person, text)
}

/** A text without the person's values; the rest of it stays. */
export function redactText(person: Person, text: string): string {
  const composed = text.normalize('NFC')
  const values = findValues(person, composed)
  if (values.length === 0) return text
  let left = ''
  let from = 0
  for (const { start, end } of values) {
    left += composed.slice(from, start) + erasedText
    from = end
  }
  return left + composed.slice(from)
}

/** Whether any text in a value passes. */
export function someText(value: unknown, isMeant: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isMeant(value)
  if (typeof value !== 'object' || value === null) return false
  // The positions of a list are no texts.
  if (Array.isArray(value)) return value.some((one) => someText(one, isMeant))
  return Object.entries(value).some(([name, one]) => isMeant(name) || someText(one, isMeant))
}

/**
 * Guarantee: the result has the shape of what was given, with other texts in it. Names of members are data where people
 * choose them.
 */
export function mapTexts<Value>(value: Value, change: (text: string, name: string) => string, name = ''): Value {
  if (typeof value === 'string') return change(value, name) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change, name)) as Value
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, mapTexts<unknown>(one, change, member)]),
  ) as Value
}

/** The members that hold free text about their object; others hold codes, states and ids. */
const freeTexts = ['text', 'note', 'detail', 'title', 'named', 'objectName', 'message', 'words']

/** The members of our own records that hold facts, which stay: besides amounts and ids what has changed, and addresses of computers. */
const isFactMember = (name: string) => amountOrId.test(name) || /^(?:seen|now|peer|from)$|Id$/u.test(name)

/** Whether a text of an object's record is erased: free text of the person's own objects is, whatever it says. */
export function isErasable(person: Person, isOwn: boolean, text: string, member: string): boolean {
  if (isOwn && freeTexts.includes(member)) return text !== erasedText
  return text !== erasedText && !isFactMember(member) && namesPerson(person, text)
}

/** A record's texts erased: as a whole in the person's own objects, the values alone elsewhere. */
export function eraseFrom<Value>(person: Person, isOwn: boolean, value: Value): Value {
  return mapTexts(value, (text, member) => {
    if (isOwn && freeTexts.includes(member)) return erasedText
    return isFactMember(member) ? text : redactText(person, text)
  })
}
