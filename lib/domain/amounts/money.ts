import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { formatNumber } from '../numbers'
import { truncate } from '../text/visible-text'

/*
 * Minor-unit exponents of ISO 4217, list one as published on 2024-06-25, with amendment 176 (XCG). Vendored because
 * `Intl` differs from ISO 4217 for 14 codes (HUF, IDR, IQD …) and a package would put 60 KB of country names into every
 * page; the test beside this file compares it with `currency-codes`. Codes whose exponent is "N.A." (XAU, XDR, XTS,
 * XXX …) are omitted on purpose. BGN and ANG stay, because old payments keep their currency.
 */
const byExponent: readonly (readonly [exponent: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
      'CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ' +
      'ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR ' +
      'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN ' +
      'SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Minor-unit exponents by ISO 4217 code. */
export const currencyExponents: ReadonlyMap<string, number> = new Map(
  byExponent.flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, exponent] as const)),
)

/** The unit of the service's amounts (`UPSTREAM_AMOUNTS`): ISO 4217 minor units, hundredths or whole currency. */
export type AmountUnit = 'minor' | 'hundredths' | 'major'

/** Codes have three letters; a service may send text of any length instead. */
const MAX_CODE_LENGTH = 12

/** A formatted amount. `text` excludes the currency, which may be in a column of its own. */
export type Money = {
  /** `money`: exact; `raw`: the number as sent, its unit in `note`; `none`: nothing that can be shown. */
  kind: 'money' | 'raw' | 'none'
  text: string
  /** As the service sent it, the first twelve characters. */
  currency: string | null
  /** Additional information, such as the unit of a raw amount. */
  note: string | null
}

const unitNames: Record<AmountUnit, Message> = {
  minor: m.money_minorUnits,
  hundredths: m.money_hundredths,
  major: () => '',
}

/** The parts of a plain decimal, exactly as sent; null if rounded by JSON, in scientific notation or not a number. */
export function parseDecimal(amount: number | string): { sign: string; whole: string; fraction: string } | null {
  if (typeof amount === 'number') {
    if (Number.isInteger(amount) ? !Number.isSafeInteger(amount) : !Number.isFinite(amount)) return null
    // Up to 15 significant digits survive a double; more may already have been rounded.
    if (!Number.isInteger(amount) && amount.toString().replaceAll(/^-?0*\.?0*|\./gu, '').length > 15) return null
  }
  const match = /^(-?)(0|[1-9]\d{0,29})(?:\.(\d{1,20}))?$/u.exec(String(amount))
  if (!match) return null
  const [, sign = '', whole = '0', fraction = ''] = match
  return { sign, whole, fraction }
}

/** Formats a decimal as a string, which `Intl` does not convert to a double. */
function formatDecimal(sign: string, whole: string, fraction: string, locale: string): string {
  const zero = /^0*$/u.test(whole + fraction)
  // `parseDecimal` has matched the parts, so this is a decimal as the type requires.
  const decimal = `${zero ? '' : sign}${whole}${fraction ? `.${fraction}` : ''}` as Intl.StringNumericLiteral
  return formatNumber(decimal, fraction.length, locale)
}

function shiftRight(digits: string, by: number): { whole: string; fraction: string } {
  const padded = digits.padStart(by + 1, '0')
  return { whole: padded.slice(0, padded.length - by), fraction: padded.slice(padded.length - by) }
}

/** At least `exponent` digits, without further trailing zeros, and never fewer significant digits than were sent. */
function fitFraction(fraction: string, exponent: number): string {
  const needed = fraction.replace(/0+$/u, '')
  return needed.padEnd(exponent, '0')
}

/**
 * Formats an amount of the service exactly, with the ISO 4217 digits of its currency, never rounded. A currency unknown
 * to ISO 4217 (also in lower case, or without an exponent such as XAU) gives the raw number and its unit, never a
 * guess. An unreadable amount gives "—" and a note.
 */
export function formatMoney(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
  locale: string,
): Money {
  const code = currency === null ? null : truncate(currency, MAX_CODE_LENGTH)
  if (amount === null) return { kind: 'none', text: '—', currency: code, note: null }
  const read = parseDecimal(amount)
  const sent = String(amount).slice(0, 40)
  if (!read) return { kind: 'none', text: '—', currency: code, note: m.money_cannotBeRead({ sent }) }
  if (unit !== 'major' && read.fraction) {
    return { kind: 'none', text: '—', currency: code, note: m.money_notWhole({ unit: unitNames[unit](), sent }) }
  }
  const { sign, whole, fraction } = read
  const exponent = currency === null ? undefined : currencyExponents.get(currency)
  if (exponent === undefined) {
    return { kind: 'raw', text: formatRaw(sign, whole, fraction), currency: code, note: unitNames[unit]() || null }
  }
  if (unit === 'major') {
    return {
      kind: 'money',
      text: formatDecimal(sign, whole, fitFraction(fraction, exponent), locale),
      currency: code,
      note: null,
    }
  }
  const shifted = shiftRight(whole, unit === 'minor' ? exponent : 2)
  const text = formatDecimal(sign, shifted.whole, fitFraction(shifted.fraction, exponent), locale)
  return { kind: 'money', text, currency: code, note: null }
}

function formatRaw(sign: string, whole: string, fraction: string): string {
  return `${sign}${whole}${fraction ? `.${fraction}` : ''}`
}

/** Whether it is wider, with its currency, than 99,999,999.99 DKK, for which columns of amounts are made. */
export function isLongMoney({ text, currency }: Money): boolean {
  return text.replaceAll(/[.,]/gu, '').length + (currency?.length ?? 0) > 13
}

/** Formats an amount with its currency in one line: "1,245.00 DKK", "124500 dkk (minor units)", "—". */
export function formatMoneyLine(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
  locale: string,
): string {
  const money = formatMoney(amount, currency, unit, locale)
  if (money.kind === 'none') return money.text
  const line = money.currency ? `${money.text} ${money.currency}` : money.text
  return money.kind === 'raw' && money.note ? `${line} (${money.note})` : line
}
