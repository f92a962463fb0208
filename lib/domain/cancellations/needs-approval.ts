import { hasPermission } from '@/lib/api-contract/permission'
import { parseMillionths } from '../amounts/amount-sums'
import { type AmountUnit, currencyExponents } from '../amounts/money'
import type { ApprovalRule } from './approval'
import type { SeenPayment } from './cancellation'

/* Apart from the rule's schema, which pages that only apply the rule don't load. */

type Payable = Pick<SeenPayment, 'amount' | 'currency'>

/** A rule as it applies to one person. */
export type OwnRule = Omit<ApprovalRule, 'supportLimits'>

function isLower(amount: string, than: string): boolean {
  const [one, other] = [parseMillionths(amount), parseMillionths(than)]
  return one !== null && (other === null || one < other)
}

/** The rule as it applies to a role: of two limits of a currency the lower one counts. Null for no rule. */
export function ruleFor(rule: ApprovalRule | null, role: string): OwnRule | null {
  if (!rule) return null
  const { supportLimits = [], ...own } = rule
  if (hasPermission(role, 'administer')) return own
  const merged = new Map(own.limits.map(({ currency, amount }) => [currency, amount]))
  for (const { currency, amount } of supportLimits) {
    const other = merged.get(currency)
    if (other === undefined || isLower(amount, other)) merged.set(currency, amount)
  }
  return { ...own, limits: [...merged].map(([currency, amount]) => ({ currency, amount })) }
}

function isWithinLimit(total: bigint | null, currency: string | null, { limits }: OwnRule, unit: AmountUnit) {
  const limitOf = limits.find((one) => one.currency === currency)
  const exponent = currencyExponents.get(currency ?? '')
  const most = limitOf && parseMillionths(limitOf.amount)
  if (total === null || exponent === undefined || most === undefined || most === null) return false
  const digits = unit === 'major' ? 0 : unit === 'minor' ? exponent : 2
  return total <= most * 10n ** BigInt(digits)
}

/**
 * Whether the amounts of these payments, in the service's unit, exceed a rule's limits; live and test payments of a currency
 * count together. One below zero counts as one above: it must not lower the total of the others.
 */
export function exceedsLimits(payments: readonly Payable[], rule: OwnRule, unit: AmountUnit): boolean {
  if (rule.limits.length === 0) return false
  const byCurrency = new Map<string | null, bigint | null>()
  for (const { currency, amount } of payments) {
    const before = byCurrency.get(currency) ?? (byCurrency.has(currency) ? null : 0n)
    const read = parseMillionths(amount)
    byCurrency.set(currency, before === null || read === null ? null : before + (read < 0n ? -read : read))
  }
  return [...byCurrency].some(([currency, total]) => !isWithinLimit(total, currency, rule, unit))
}

/** Whether a second person approves a bulk of these payments before it is sent. */
export function bulkNeedsApproval(payments: readonly Payable[], rule: OwnRule | null, unit: AmountUnit): boolean {
  return rule !== null && (rule.everyBulk || exceedsLimits(payments, rule, unit))
}
