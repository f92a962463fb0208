import * as z from 'zod'
import { parseMillionths } from '../amount-sums'
import { type AmountUnit, currencyExponents } from '../money'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import type { BulkSum } from './bulk-cancellation'
import { cancellationInput } from '@/lib/api-contract/payments'
import * as m from '@/lib/messages/m'

/*
 * The four-eyes rule of a merchant: what a second person approves before it is sent (0133). Requests of
 * `/api/desk/approval-rule` and `/api/desk/bulk/{bulkId}/approval`.
 */

const limit = z.strictObject({
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => currencyExponents.has(code), { error: m.approval_isNoCurrency }),
  /** In whole currency, a plain decimal. */
  amount: z.string().regex(/^(0|[1-9]\d{0,14})(\.\d{1,4})?$/u, { error: m.approval_isNoAmount }),
})

/**
 * When a second person approves: every bulk cancellation, or what sums up to more than the limit of its currency, a
 * single payment too. With limits, an amount that can't be compared with one always needs a second person.
 */
export const approvalRule = z
  .strictObject({
    everyBulk: z.boolean(),
    limits: z.array(limit).max(20),
    /** After how many hours a request that nobody has decided on ends. */
    hours: z.int().min(1).max(168),
  })
  .refine(({ limits }) => new Set(limits.map(({ currency }) => currency)).size === limits.length, {
    error: m.approval_currencyTwice,
    path: ['limits'],
  })
export type ApprovalRule = z.output<typeof approvalRule>

/** Body of PUT /api/desk/approval-rule. Null switches four eyes off. */
export const approvalRuleChange = z.strictObject({ rule: approvalRule.nullable() })

/** Body of POST /api/desk/bulk/{bulkId}/approval. Who approves says which list they saw. */
export const approvalDecision = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('approve'),
    count: z.int().min(1).max(MAX_BULK_PAYMENTS),
    digest: z.string().regex(/^[0-9a-f]{64}$/u, { error: m.requestRules_mustBeASha256 }),
  }),
  z.strictObject({ decision: z.literal('decline'), note: cancellationInput.shape.text }),
  z.strictObject({ decision: z.literal('withdraw') }),
])
export type ApprovalDecision = z.output<typeof approvalDecision>

/** Reply of GET /api/desk/bulk/approvals. */
export type AwaitedApprovals = { count: number }

type Total = Pick<BulkSum, 'currency' | 'sum'>

function isWithinLimit(total: bigint | null, currency: string | null, { limits }: ApprovalRule, unit: AmountUnit) {
  const limitOf = limits.find((one) => one.currency === currency)
  const exponent = currencyExponents.get(currency ?? '')
  const most = limitOf && parseMillionths(limitOf.amount)
  if (total === null || exponent === undefined || most === undefined || most === null) return false
  const digits = unit === 'major' ? 0 : unit === 'minor' ? exponent : 2
  return total <= most * 10n ** BigInt(digits)
}

/** Whether totals, in the service's unit, exceed a rule's limits; live and test payments of a currency count together. */
export function exceedsLimits(totals: readonly Total[], rule: ApprovalRule, unit: AmountUnit): boolean {
  if (rule.limits.length === 0) return false
  const byCurrency = new Map<string | null, bigint | null>()
  for (const { currency, sum } of totals) {
    const before = byCurrency.get(currency)
    const millionths = parseMillionths(sum)
    const both = before === undefined ? millionths : before === null || millionths === null ? null : before + millionths
    byCurrency.set(currency, both)
  }
  return [...byCurrency].some(([currency, total]) => !isWithinLimit(total, currency, rule, unit))
}

/** Whether a second person approves a bulk of these totals before it is sent. */
export function bulkNeedsApproval(totals: readonly Total[], rule: ApprovalRule | null, unit: AmountUnit): boolean {
  return rule !== null && (rule.everyBulk || exceedsLimits(totals, rule, unit))
}
