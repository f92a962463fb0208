import { type FieldOf, type Filter, joinFilters } from '@/lib/api-contract/filter'
import { isUuid } from '../ids'
import { parseLocalAmount, toServiceAmount } from '../amounts/local-amount'
import { type AmountUnit, currencyExponents } from '../amounts/money'
import { isDay } from '../dates/date'
import type { CapabilityProofs } from './capabilities'
import { makeDayFilter } from './day-filter'

/** The fields in which a text is sought. */
export type SearchFields<Field extends string = string> = {
  /** Any part of these, regardless of case and accents. */
  parts: readonly Field[]
  /** The whole of these, such as a handle. */
  whole?: readonly Field[]
  id?: Field
  amount?: Field
  /** Of the amount. */
  currency?: Field
  /** A business day. */
  day?: Field
}

/** What a search in the payments looks at. */
export const paymentSearch: SearchFields<FieldOf<'listPayments'>> = {
  parts: ['customer/name', 'reference', 'description'],
  whole: ['handle'],
  id: 'id',
  amount: 'amount',
  currency: 'currency',
  day: 'paymentDate',
}

/** What a search in the customers looks at. */
export const customerSearch: SearchFields<FieldOf<'listCustomers'>> = { parts: ['name', 'number', 'handle'], id: 'id' }

/** What a search in the mandates looks at. */
export const mandateSearch: SearchFields<FieldOf<'listMandates'>> = {
  parts: ['handle', 'customer/name', 'customer/number'],
  id: 'id',
}

/** What the words of a search are relative to. */
export type SearchContext = {
  /** The unit of the service's amounts. */
  amounts: AmountUnit
  /** IANA time zone of business dates. */
  zone: string
  /** The currency of amounts, if the list shows only one. */
  currency?: string | undefined
  /** Compared with nothing: whole numbers, codes of currencies or dates are only words then. */
  uncompared?: Uncompared
}

/** What of a payment isn't compared with what is sought. */
export type Uncompared = ReadonlySet<'amount' | 'currency' | 'day'>

/** What of a payment the service was found not to compare: words that may mean it must still find references. */
export function findUncompared(proofs: CapabilityProofs): Uncompared {
  const isRefused = (...capabilities: string[]) => capabilities.some((capability) => proofs[capability] === false)
  return new Set([
    ...(isRefused('eq:amount') ? ['amount' as const] : []),
    ...(isRefused('eq:currency') ? ['currency' as const] : []),
    ...(isRefused('ge:paymentDate', 'lt:paymentDate', 'and') ? ['day' as const] : []),
  ])
}

/** Has two decimals, as the search takes amounts to have where no currency is chosen; the same number in others is found too (decision 0132). */
const ANY_CURRENCY = 'EUR'

/**
 * The service's amounts that a word such as `1.245,00`, `1,245.00`, `1,245` or `1245` may mean: what is written with two decimals,
 * or as a whole number of two digits or more.
 */
function readAmounts(word: string, { amounts: unit, currency = ANY_CURRENCY, uncompared }: SearchContext): number[] {
  const form = uncompared?.has('amount') || word.startsWith('0') ? /\.\d{2}$/u : /\.\d{2}$|^\d{2,}$/u
  const read = ['da', 'en'].flatMap((locale) => parseLocalAmount(word, locale) ?? [])
  const amounts = read.filter((one) => form.test(one)).map((one) => toServiceAmount(one, currency, unit))
  return [...new Set(amounts.filter((one) => one !== null))]
}

/** English and Danish, in the order of the year. */
const months = [
  'jan(?:uary?)?',
  'feb(?:ruary?)?',
  'mar(?:ch|ts)?',
  'apr(?:il)?',
  'ma[jy]',
  'jun[ei]?',
  'jul[iy]?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'o[ck]t(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
]
const dayForms = [
  String.raw`(?<year>(?:19|20)\d{2})-(?<month>\d{1,2})-(?<day>\d{1,2})`,
  String.raw`(?<day>\d{1,2})([./])(?<month>\d{1,2})\2(?<year>(?:19|20)\d{2})`,
  String.raw`(?<day>\d{1,2})\.?\s+(?<month>${months.join('|')})\.?\s+(?<year>(?:19|20)\d{2})`,
].map((form) => new RegExp(`^(?:${form})(?!\\S)`, 'iu'))

/** The date that a text begins with, such as `2027-01-13`, `13.1.2027`, `13/1/2027` or `13 jan 2027`, and how it is written. */
function readDay(text: string): { written: string; day: string } | null {
  const match = dayForms.map((form) => form.exec(text)).find((one) => one !== null)
  if (!match) return null
  const { year = '', month = '', day = '' } = match.groups ?? {}
  const named = months.findIndex((name) => new RegExp(`^${name}$`, 'iu').test(month)) + 1
  const written = `${year}-${(named > 0 ? String(named) : month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? { written: match[0], day: written } : null
}

type Word = { text: string; day: string | null }

/** The words of a search; a date is one, where dates are sought. */
function splitWords(text: string, hasDays: boolean): Word[] {
  const words: Word[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const found = hasDays ? readDay(rest) : null
    const word = found?.written ?? /^\S+/u.exec(rest)?.[0] ?? rest
    words.push({ text: word, day: found?.day ?? null })
    rest = rest.slice(word.length).trimStart()
  }
  return words
}

/**
 * The rows that a search finds: those with every word of the text in one of the fields, in any order, or with the id that
 * the text is. Null for blank text. Beside an amount the code of a currency is a word too, of which the amount then is.
 */
export function searchFor(
  text: string,
  { parts, whole = [], id, amount, currency, day }: SearchFields,
  context: SearchContext,
): Filter | null {
  const wanted = text.trim()
  if (id !== undefined && isUuid(wanted)) return { kind: 'compare', field: id, comparison: 'eq', value: wanted }
  const split = splitWords(wanted, day !== undefined && !context.uncompared?.has('day'))
  const hasAmount = amount !== undefined && split.some((word) => readAmounts(word.text, context).length > 0)
  // Beside an amount "kr", of several currencies, restricts nothing.
  const words = hasAmount ? split.filter((word) => !/^kr\.?$/iu.test(word.text)) : split
  const isCode = (word: Word) =>
    hasAmount && !context.uncompared?.has('currency') && currencyExponents.has(word.text.toUpperCase())
  const code = words.find(isCode)?.text.toUpperCase() ?? context.currency
  const equals = (field: string, value: string | number): Filter => ({
    kind: 'compare',
    field,
    comparison: 'eq',
    value,
  })
  const findText = (sought: string) =>
    joinFilters('or', [
      ...parts.map((field): Filter => ({ kind: 'contains', field, value: sought })),
      ...whole.map((field) => equals(field, sought)),
    ])
  return joinFilters(
    'and',
    words.map((word) =>
      joinFilters('or', [
        // A date may be written with other spaces in a text.
        joinFilters('and', word.text.split(/\s+/u).map(findText)),
        ...(amount === undefined ? [] : readAmounts(word.text, { ...context, currency: code })).map((value) =>
          equals(amount ?? '', value),
        ),
        ...(currency !== undefined && isCode(word) ? [equals(currency, word.text.toUpperCase())] : []),
        ...(day !== undefined && word.day !== null
          ? [makeDayFilter(day, { from: word.day, to: word.day }, context.zone)]
          : []),
      ]),
    ),
  )
}
