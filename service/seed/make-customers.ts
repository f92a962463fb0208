import { expiryOf } from '../simulation/mandate-lifecycle'
import { newHandle } from '../store/handles'
import { foldText } from '@/lib/api-contract/fold-text'
import { grams } from '../query/text-search'
import type { agreements, customers, mandates } from '../store/schema'
import { type Country, denmark, europe, forms, remarkable, trades } from './names'
import type { Random } from './random'

export type SeedCustomer = typeof customers.$inferInsert & { country: string }
export type SeedMandate = typeof mandates.$inferInsert & { id: string; country: string; test: boolean }
export type SeedAgreement = typeof agreements.$inferInsert

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function makeName(random: Random, country: Country, index: number): string {
  const special = remarkable[index]
  if (special) return special
  const last = random.pick(country.last)
  if (random.chance(0.12)) return `${last} ${random.pick(trades)} ${random.pick(forms)}`
  const middle = random.chance(0.15) ? ` ${random.pick(country.last)}` : ''
  return `${random.pick(country.first)}${middle} ${last}`
}

/** Generates a customer created within the last three years. `today` is midnight UTC. */
export function makeCustomer(random: Random, merchantId: string, index: number, today: Date): SeedCustomer {
  const country = random.chance(0.72) ? denmark : random.pick(europe)
  const name = makeName(random, country, index)
  const number = String(100_000 + index * 7 + random.below(7))
  const [postalCode, city] = random.pick(country.cities)
  const createdAt = new Date(today.getTime() - (400 + random.below(700)) * DAY_MS - random.below(DAY_MS))
  return {
    id: random.uuid(),
    merchantId,
    handle: newHandle('cu', random.below),
    name,
    nameSearch: foldText(name),
    number,
    numberSearch: foldText(number),
    grams: grams(foldText(name), foldText(number)),
    addressLine1: `${random.pick(country.streets)} ${1 + random.below(180)}`,
    addressLine2: random.chance(0.2) ? `${random.below(6)}. ${random.pick(['th', 'tv', 'mf'])}` : '',
    city,
    postalCode,
    country: country.code,
    createdAt,
    modifiedAt: new Date(createdAt.getTime() + random.below(300) * DAY_MS),
  }
}

function pickAgreement(
  random: Random,
  agreements: readonly SeedAgreement[],
  danish: boolean,
): SeedAgreement | undefined {
  const test = random.chance(0.1)
  const scheme = danish
    ? random.weigh([
        ['nets-bs', 70],
        ['nets-ls', 12],
        ['mastercard-bs', 18],
      ])
    : random.weigh([
        ['sepa-core', 85],
        ['sepa-b2b', 15],
      ])
  return (
    agreements.find((one) => one.scheme === scheme && one.test === test) ??
    agreements.find((one) => one.scheme === scheme)
  )
}

function describeAccount(random: Random, scheme: string): Record<string, string>[] {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join('')
  if (scheme.startsWith('sepa'))
    return [
      { key: 'mandateReference', value: `MREF${digits(8)}` },
      { key: 'sequence', value: 'RCUR' },
    ]
  return [
    { key: 'customerNumber', value: digits(9) },
    { key: 'debtorGroup', value: `0000${1 + random.below(3)}` },
  ]
}

/** Generates a customer's mandates: mostly one, sometimes two, rarely none. */
export function makeMandates(
  random: Random,
  customer: SeedCustomer,
  agreements: readonly SeedAgreement[],
  today: Date,
): SeedMandate[] {
  const count = random.weigh([
    [1, 82],
    [2, 14],
    [0, 4],
  ])
  return Array.from({ length: count }, (): SeedMandate => {
    const agreement = pickAgreement(random, agreements, customer.country === 'DK')
    const scheme = agreement?.scheme ?? 'nets-bs'
    const createdAt = new Date(new Date(customer.createdAt).getTime() + random.below(10 * DAY_MS))
    const status = random.weigh([
      ['Active', 86],
      ['Created', 5],
      ['Cancelled', 6],
      ['Expired', 3],
    ])
    // From tomorrow on, so that nothing changes in a new database on its first day.
    const later = new Date(today.getTime() + (1 + random.below(30)) * DAY_MS + 8 * HOUR_MS)
    return {
      id: random.uuid(),
      merchantId: customer.merchantId,
      customerId: customer.id,
      agreementId: agreement?.id ?? null,
      handle: newHandle('md', random.below),
      scheme,
      status,
      nextAt:
        status === 'Created'
          ? later
          : status === 'Active'
            ? new Date(Math.max(expiryOf(createdAt).getTime(), later.getTime()))
            : null,
      billAt: status === 'Active' ? later : null,
      schemeData: describeAccount(random, scheme),
      customerSearch: customer.nameSearch,
      customerNumberSearch: customer.numberSearch ?? '',
      grams: customer.grams,
      createdAt,
      modifiedAt: createdAt,
      country: customer.country,
      test: agreement?.test ?? false,
    }
  })
}
