import { type FieldOf, type Filter, joinFilters } from '@/lib/api-contract/filter'
import { isUuid } from '../ids'
import { parseLocalAmount, toServiceAmount } from '../amounts/local-amount'
import type { AmountUnit } from '../amounts/money'

/** The fields in which a text is sought. */
export type SearchFields<Field extends string = string> = {
  /** Any part of these, regardless of case and accents. */
  parts: readonly Field[]
  /** The whole of these, such as a handle. */
  whole?: readonly Field[]
  id?: Field
  /** An amount written with two decimals. */
  amount?: Field
}

/** What a search in the payments looks at. */
export const paymentSearch: SearchFields<FieldOf<'listPayments'>> = {
  parts: ['customer/name', 'reference', 'description'],
  whole: ['handle'],
  id: 'id',
  amount: 'amount',
}

/** What a search in the customers looks at. */
export const customerSearch: SearchFields<FieldOf<'listCustomers'>> = { parts: ['name', 'number', 'handle'], id: 'id' }

/** What a search in the mandates looks at. */
export const mandateSearch: SearchFields<FieldOf<'listMandates'>> = {
  parts: ['handle', 'customer/name', 'customer/number'],
  id: 'id',
}

/** Has two decimals, as the search takes amounts to have where no currency is chosen; the same number in others is found too (decision 0132). */
const ANY_CURRENCY = 'EUR'

/** The service's amounts that a word such as `1.245,00` or `1,245.00` may mean; only what is written with two decimals is one. */
function readAmounts(word: string, unit: AmountUnit, currency: string): number[] {
  if (!/[.,]\d{2}$/u.test(word)) return []
  const read = ['da', 'en'].flatMap((locale) => parseLocalAmount(word, locale) ?? [])
  const amounts = read.filter((one) => /\.\d{2}$/u.test(one)).map((one) => toServiceAmount(one, currency, unit))
  return [...new Set(amounts.filter((one) => one !== null))]
}

/**
 * The rows that a search finds: those with every word of the text in one of the fields, in any order, or with the id that
 * the text is. Null for blank text. Amounts are of `currency`, if the list shows only one.
 */
export function searchFor(
  text: string,
  { parts, whole = [], id, amount }: SearchFields,
  unit: AmountUnit,
  currency: string = ANY_CURRENCY,
): Filter | null {
  const wanted = text.trim()
  if (id !== undefined && isUuid(wanted)) return { kind: 'compare', field: id, comparison: 'eq', value: wanted }
  const words = wanted.split(/\s+/u).filter((word) => word !== '')
  return joinFilters(
    'and',
    words.flatMap((word): Filter[] => {
      const found = joinFilters('or', [
        ...parts.map((field): Filter => ({ kind: 'contains', field, value: word })),
        ...whole.map((field): Filter => ({ kind: 'compare', field, comparison: 'eq', value: word })),
        ...(amount === undefined ? [] : readAmounts(word, unit, currency)).map(
          (value): Filter => ({ kind: 'compare', field: amount ?? '', comparison: 'eq', value }),
        ),
      ])
      return found ? [found] : []
    }),
  )
}
