/*
 * Minor-unit exponents of ISO 4217, list one as published on 2024-06-25, with amendment 176 (XCG).
 * Vendored because `Intl` is not ISO 4217 for 14 codes (HUF, IDR, IQD …) and a package would put 60 KB
 * of country names into every page; the test beside this file holds it against `currency-codes`.
 * Codes whose exponent is "N.A." (XAU, XDR, XTS, XXX …) are left out on purpose. BGN and ANG stay: old
 * payments keep their currency.
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

/** ISO 4217 code → how many digits its minor unit is shifted by. */
export const currencyExponents: ReadonlyMap<string, number> = new Map(
  byExponent.flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, exponent] as const)),
)
