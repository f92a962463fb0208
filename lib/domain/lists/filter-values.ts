import { type Filter, joinFilters } from '@/lib/api-contract/filter'
import { dayInZone, formatDay, isDay } from '../dates/date'
import { makeDayFilter } from './day-filter'
import { findDayPreset, type Range } from './day-presets'
import { formatPlainDecimal, toServiceAmount, trimZeros } from '../amounts/local-amount'
import { type SearchContext, type SearchFields, searchFor } from './text-search'
import { type AmountUnit, formatMoney } from '../amounts/money'
import { joinList } from '@/lib/language/join-list'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { escapeInvisible, truncate } from '../text/visible-text'

/** The fields of filters are those of lib/api-contract/filter.ts. */
type FilterBase = {
  /**
   * Its query parameter: none of `open`, `sort`, `columns`, `view`, `tool` and `merchant`. The filter `search` stands
   * first, as the toolbar's search field.
   */
  id: string
  label: Message
  /** Offered under "More filters" until it is set, if there are several of its kind. */
  isSeldom?: boolean
}

/** A search for words (lib/domain/lists/text-search.ts). */
type TextFilter<Field extends string> = FilterBase & { kind: 'text'; placeholder: Message; search: SearchFields<Field> }

/** A choice of values. `is` is compared with the field where it differs from the value. */
type ChoiceFilter<Field extends string> = FilterBase & {
  kind: 'choice'
  field: Field
  options: readonly { value: string; label: Message; is?: boolean }[]
  /** Names a value that is no option; else it is shown as it came. */
  describe?: (value: string) => string
  /** Whether values outside `options` that occur in the data are offered too. */
  isOpen?: boolean
  /** Whether several values may be chosen. */
  isMultiple?: boolean
}

/** A range of days in the business zone. */
type DaysFilter<Field extends string> = FilterBase & { kind: 'days'; field: Field }

/** A range of amounts in the currency that the filter `currency` chooses; without one it stays, and matches no row. */
type AmountFilter<Field extends string> = FilterBase & { kind: 'amount'; field: Field }

export type TableFilter<Field extends string = string> =
  | TextFilter<Field>
  | ChoiceFilter<Field>
  | DaysFilter<Field>
  | AmountFilter<Field>

/*
 * The values of filters as the URL has them, and what they mean. A choice of several is `Pending,Scheduled`; days are
 * `2026-11-25..2026-12-02`, open on either side, one day, or a preset such as `today`, which stays relative in a saved
 * view; amounts are `1000..5000` in the major unit of the chosen currency.
 */

/** What filter values are relative to. */
export type FilterContext = {
  /** IANA time zone of business dates. */
  zone: string
  /** Today in that zone, such as `2026-11-25`. */
  today: string
  /** The unit of the service's amounts. */
  amounts: AmountUnit
} & Pick<SearchContext, 'uncompared'>

/** The context of filters now. */
export function filterContext(config: { schemeZone: string; amounts: AmountUnit }): FilterContext {
  return { zone: config.schemeZone, today: dayInZone(Date.now(), config.schemeZone), amounts: config.amounts }
}

/** The chosen filter values by filter id. */
export type FilterValues = Readonly<Record<string, string>>

/** Splits the values of a choice; a comma within one is written `%2C`. */
export function splitChoices(value: string): string[] {
  return value
    .split(',')
    .filter((one) => one.trim() !== '')
    .map((one) => one.replaceAll('%2C', ',').replaceAll('%25', '%'))
}

export function joinChoices(values: readonly string[]): string {
  return values.map((one) => one.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
}

function splitRange(value: string): Range | null {
  const [from = '', to, ...rest] = value.split('..')
  if (rest.length > 0 || (from === '' && !to)) return null
  return { from: from || null, to: to === undefined ? from : to || null }
}

/** Formats a range: `a..b`, `a..`, `..b`, or `a` for one value; empty for none. */
export function joinRange({ from, to }: Range): string {
  if (from === null && to === null) return ''
  return from === to ? (from ?? '') : `${from ?? ''}..${to ?? ''}`
}

/** The value of a range of days as it was typed, '' for an open end; or why there is none, by the field to change. */
export function readRange({ from, to }: { from: string; to: string }): {
  value: string
  errors: { from?: string; to?: string } | null
} {
  if (from === '' && to === '') return { value: '', errors: { from: m.filters_dateIsMissing() } }
  if (from !== '' && to !== '' && from > to) return { value: '', errors: { to: m.filters_datesAreReversed() } }
  return { value: joinRange({ from: from || null, to: to || null }), errors: null }
}

/** The days that a value means on `today`; null when it means none. */
export function parseDays(value: string, today: string): Range | null {
  const preset = findDayPreset(value)
  if (preset) return preset.days(today)
  const range = splitRange(value)
  if (!range || [range.from, range.to].some((day) => day !== null && !isDay(day))) return null
  return range.from !== null && range.to !== null && range.from > range.to ? null : range
}

/** The range of amounts, in the service's unit, that a value in a currency's major unit means; null when it means none. */
export function parseAmounts(
  value: string,
  currency: string | undefined,
  unit: AmountUnit,
): { from: number | null; to: number | null } | null {
  const range = splitRange(value)
  if (!range || currency === undefined) return null
  const [from, to] = [range.from, range.to].map((one) => (one === null ? null : toServiceAmount(one, currency, unit)))
  if (from === undefined || to === undefined) return null
  if ((range.from !== null && from === null) || (range.to !== null && to === null)) return null
  return from !== null && to !== null && from > to ? null : { from, to }
}

/** The one currency that is chosen: amounts of several are never compared. */
export function chosenCurrency(values: FilterValues): string | undefined {
  const [currency, ...others] = splitChoices(values.currency ?? '')
  return others.length === 0 ? currency : undefined
}

/** No row has this id, in any list. */
const nothing: Filter = {
  kind: 'compare',
  field: 'id',
  comparison: 'eq',
  value: '00000000-0000-4000-8000-000000000000',
}

/**
 * The condition that a filter's value means, given the other values; null where it has none. A value that is none of the
 * filter matches no row, nor does an amount without one currency that can have it.
 */
export function makeFilter(filter: TableFilter, values: FilterValues, context: FilterContext): Filter | null {
  const value = values[filter.id]
  if (value === undefined) return null
  if (!isFilterValue(filter, value)) return nothing
  switch (filter.kind) {
    case 'text':
      return searchFor(value, filter.search, { ...context, currency: chosenCurrency(values) })
    case 'choice':
      return joinFilters(
        'or',
        splitChoices(value).map((one) => {
          const option = filter.options.find((known) => known.value === one)
          return { kind: 'compare', field: filter.field, comparison: 'eq', value: option?.is ?? one }
        }),
      )
    case 'days': {
      const days = parseDays(value, context.today)
      return days && makeDayFilter(filter.field, days, context.zone)
    }
    default: {
      const range = parseAmounts(value, chosenCurrency(values), context.amounts)
      if (!range) return nothing
      const { field } = filter
      if (range.from !== null && range.from === range.to)
        return { kind: 'compare', field, comparison: 'eq', value: range.from }
      return joinFilters('and', [
        ...(range.from === null ? [] : [{ kind: 'compare', field, comparison: 'ge', value: range.from } as const]),
        ...(range.to === null ? [] : [{ kind: 'compare', field, comparison: 'le', value: range.to } as const]),
      ])
    }
  }
}

/** In characters; longer ones are not sent to the service. */
export const MAX_VALUE_LENGTH = 200

/** Whether a value from a URL means something to a filter. */
export function isFilterValue(filter: TableFilter, value: string): boolean {
  if (value.length > MAX_VALUE_LENGTH || !value.isWellFormed()) return false
  switch (filter.kind) {
    case 'text':
      return true
    case 'choice': {
      const chosen = splitChoices(value)
      if (chosen.length === 0 || (!filter.isMultiple && chosen.length > 1)) return false
      return filter.isOpen || chosen.every((one) => filter.options.some((option) => option.value === one))
    }
    case 'days':
      return parseDays(value, '2000-01-01') !== null
    default:
      // An amount waits for a currency that it is an amount of.
      return parseAmounts(value, '', 'major') !== null
  }
}

function describeRange(
  { from, to }: Range,
  format: (end: string) => string,
  words: { from: typeof m.filters_fromDay; to: typeof m.filters_untilDay },
): string {
  if (from !== null && to !== null) {
    return from === to ? format(from) : m.filters_range({ from: format(from), to: format(to) })
  }
  return from === null ? words.to({ end: format(to ?? '') }) : words.from({ end: format(from) })
}

/**
 * The value of a filter in words, for the chip, an export and a bulk: "Pending or Scheduled", "1,000 to 5,000 DKK". A value that
 * means nothing says so, and so does an amount that can't be compared.
 */
export function describeFilter(
  filter: TableFilter,
  values: FilterValues,
  { locale, amounts }: { locale: string; amounts: AmountUnit },
): string {
  const value = values[filter.id] ?? ''
  if (!isFilterValue(filter, value))
    return m.filters_notUnderstood({ value: truncate(escapeInvisible(value), MAX_VALUE_LENGTH) })
  switch (filter.kind) {
    case 'choice':
      return joinList(
        splitChoices(value).map(
          (one) =>
            filter.options.find((option) => option.value === one)?.label() ??
            escapeInvisible(filter.describe?.(one) ?? one),
        ),
        'disjunction',
      )
    case 'days': {
      const preset = findDayPreset(value)
      const range = splitRange(value)
      if (preset || !range) return preset?.label() ?? escapeInvisible(value)
      return describeRange(range, (day) => formatDay(day, locale), { from: m.filters_fromDay, to: m.filters_untilDay })
    }
    case 'amount': {
      const range = splitRange(value)
      if (!range) return escapeInvisible(value)
      const currency = chosenCurrency(values)
      const write = (amount: string) =>
        currency === undefined
          ? formatPlainDecimal(trimZeros(amount), locale)
          : `${formatMoney(trimZeros(amount), currency, 'major', locale).text}\u00a0${escapeInvisible(currency)}`
      const words = describeRange(range, write, { from: m.filters_atLeast, to: m.filters_atMost })
      if (parseAmounts(value, currency, amounts)) return words
      return currency === undefined
        ? m.filters_amountNeedsCurrency({ range: words })
        : m.filters_amountIsNotComparable({ range: words })
    }
    default:
      return truncate(escapeInvisible(value.trim()), MAX_VALUE_LENGTH)
  }
}
